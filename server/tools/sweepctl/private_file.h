// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "sweepd/status.h"

namespace sweepd::tools {

// Files with secrets in them, and files that say where secrets are sent. Errors are without the name of the
// file, as read_small_file's.

inline constexpr mode_t kOwnerOnly = 0600;

/// Of a file in which others than its owner have none of the rights in `forbidden` (0077: no right at all).
Result<std::string> read_private_file(const std::filesystem::path& path, std::size_t bytes_max,
                                      mode_t forbidden);

/// A file of this user alone. What is there already, a link that leads nowhere too, is an error and stays.
Status write_new_private_file(const std::filesystem::path& path, std::string_view bytes);

/// Puts a file in the place of what is there, or in a free place: whole or not at all. The process's umask
/// counts.
Status replace_file(const std::filesystem::path& path, std::string_view bytes, mode_t mode);

}  // namespace sweepd::tools
