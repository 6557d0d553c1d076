// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

#include "os/descriptor.h"
#include "sweepd/status.h"

namespace sweepd::tools {

/// A file, opened for reading. A pipe or a device is refused: it may keep its reader waiting for ever. The
/// error is without the name: it goes on where that ends.
Result<os::Descriptor> open_regular_file(const std::filesystem::path& path);

}  // namespace sweepd::tools
