// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

namespace sweepd::runtime {

/// Reads a file, 64 KiB of it at most, that must be its owner's alone. What is wrong with it; empty: nothing.
/// `what`: "a signing key".
std::string read_private_file(const std::filesystem::path& path, const std::string& what,
                              std::string& content);

}  // namespace sweepd::runtime
