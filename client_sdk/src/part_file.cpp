// SPDX-License-Identifier: MIT
#include "part_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

namespace sweepd::internal {
namespace {

/// So that a name in it that is new outlives a power cut. Some file systems know nothing like it.
bool sync_folder_of(const std::string& path) {
  const auto folder = std::filesystem::path(path).parent_path();
  const int descriptor = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0)
    return errno == EACCES;  // It may be written to, but not read: then it cannot be synced.
  const bool is_synced = ::fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP;
  const int error = errno;
  ::close(descriptor);
  errno = error;
  return is_synced;
}

}  // namespace

Status file_error(const std::string& path, const char* what, int error) {
  return {
      ErrorCode::kUnavailable, path + " " + what + ": " + std::generic_category().message(error), {}, "path"};
}

PartFile::PartFile(std::string path)
    : path_(std::move(path)), part_(path_ + ".part"), file_(std::fopen(part_.c_str(), "wb"), &std::fclose) {
  if (file_ == nullptr) error_ = file_error(part_, "cannot be written", errno);
}

PartFile::~PartFile() {
  if (file_ == nullptr) return;
  file_.reset();
  std::remove(part_.c_str());
}

bool PartFile::write(std::string_view bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) == bytes.size()) return true;
  error_ = file_error(part_, "cannot be written", errno);
  return false;
}

Status PartFile::complete() {
  // In this order: after a power cut, too, there is all of it under the name, or nothing.
  if (std::fflush(file_.get()) != 0 || ::fsync(::fileno(file_.get())) != 0) return give_up();
  if (std::fclose(file_.release()) != 0 || std::rename(part_.c_str(), path_.c_str()) != 0) return give_up();
  if (sync_folder_of(path_)) return {};
  return file_error(path_, "is there, but its folder cannot be written to the disk", errno);
}

Status PartFile::give_up() {
  Status error = file_error(path_, "cannot be written", errno);
  file_.reset();
  std::remove(part_.c_str());
  return error;
}

}  // namespace sweepd::internal
