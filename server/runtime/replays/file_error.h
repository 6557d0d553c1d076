// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace sweepd::runtime {

/// "cannot ACTION PATH: what errno says".
std::string file_error(std::string_view action, const std::filesystem::path& path, int error_number);

}  // namespace sweepd::runtime
