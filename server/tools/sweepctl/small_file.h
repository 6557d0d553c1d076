// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include "sweepd/status.h"

namespace sweepd::tools {

/// The bytes of a file that a user named. The error is without the name: it goes on where that ends, "cannot
/// be read: Permission denied".
Result<std::string> read_small_file(const std::filesystem::path& path, std::size_t bytes_max);

}  // namespace sweepd::tools
