// SPDX-License-Identifier: MIT
#include "runtime/journal/file_watch.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

namespace sweepd::runtime {

FileWatch::FileWatch(std::filesystem::path path, std::int64_t kept_bytes)
    : path_(std::move(path)), kept_bytes_(kept_bytes) {
  struct stat now = {};
  if (::stat(path_.c_str(), &now) != 0) return;
  device_ = now.st_dev;
  number_ = now.st_ino;
  size_ = now.st_size;
}

std::string FileWatch::find_damage() {
  const std::string name = path_.filename().string();
  struct stat now = {};
  if (::stat(path_.c_str(), &now) != 0) {
    if (errno == ENOENT || errno == ENOTDIR) return name + " has been removed";
    return name + " cannot be looked at: " + std::generic_category().message(errno);
  }
  if (now.st_dev != device_ || now.st_ino != number_) return name + " has been replaced";
  const bool is_cut = now.st_size < std::min(size_, kept_bytes_);
  size_ = std::max<std::int64_t>(size_, now.st_size);
  return is_cut ? name + " has been cut" : std::string();
}

}  // namespace sweepd::runtime
