// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "sweepd/status.h"

namespace sweepd::tools {

// Files with secrets, and files that decide where secrets are sent. Errors do not name the file, like those
// of read_small_file.

inline constexpr mode_t kOwnerOnly = 0600;

/// Reads a file unless its mode has any of the bits in `forbidden`; 0077 stands for any right of others.
Result<std::string> read_private_file(const std::filesystem::path& path, std::size_t bytes_max,
                                      mode_t forbidden);

/// Creates a file of mode 0600. An existing file or link is an error and stays as it is.
Status write_new_private_file(const std::filesystem::path& path, std::string_view bytes);

/// Creates or replaces a file, whole or not at all. The umask applies to `mode`.
Status replace_file(const std::filesystem::path& path, std::string_view bytes, mode_t mode);

}  // namespace sweepd::tools
