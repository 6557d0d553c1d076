// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>

namespace sweepd::runtime {

/// Looks whether a path still leads to the file that it led to: a process that has a file open notices
/// neither that it was removed nor that another has its name.
class FileWatch {
 public:
  static constexpr std::int64_t kAllBytes = std::numeric_limits<std::int64_t>::max();

  /// The file is there now. Its owner may make it shorter, but never so that fewer than `kept_bytes` are left
  /// of more.
  FileWatch(std::filesystem::path path, std::int64_t kept_bytes);

  /// What became of it since; empty: nothing.
  std::string find_damage();

 private:
  const std::filesystem::path path_;
  const std::int64_t kept_bytes_;
  dev_t device_ = 0;
  ino_t number_ = 0;
  std::int64_t size_ = 0;  ///< The largest that was seen.
};

}  // namespace sweepd::runtime
