// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string_view>

namespace sweepd::fuzz {

/// A file that is on no disk, for what reads files. The same one each time, with other content.
std::filesystem::path memory_file(std::string_view content);

}  // namespace sweepd::fuzz
