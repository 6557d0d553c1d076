// SPDX-License-Identifier: MIT
#include "runtime/data_directory.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "runtime/replays/file_error.h"

namespace sweepd::runtime {

base::Result<DataDirectory, std::string> DataDirectory::open(const std::filesystem::path& path) {
  if (mkdir(path.c_str(), 0750) != 0 && errno != EEXIST) return file_error("create", path, errno);
  const std::filesystem::path lock_path = path / "lock";
  const int lock = ::open(lock_path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0640);
  if (lock < 0) return file_error("create", lock_path, errno);
  DataDirectory directory(path, lock);
  if (flock(lock, LOCK_EX | LOCK_NB) == 0) return directory;
  if (errno == EWOULDBLOCK) return path.string() + " is in use by another sweepd";
  return file_error("lock", lock_path, errno);
}

DataDirectory::DataDirectory(DataDirectory&& other) noexcept
    : path_(std::move(other.path_)), lock_(std::exchange(other.lock_, -1)) {}

DataDirectory::~DataDirectory() {
  if (lock_ >= 0) close(lock_);
}

}  // namespace sweepd::runtime
