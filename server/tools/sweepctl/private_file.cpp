// SPDX-License-Identifier: MIT
#include "tools/sweepctl/private_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "os/descriptor.h"

namespace sweepd::tools {
namespace {

Status failed(const char* what, int error) {
  return Status(ErrorCode::kUnavailable,
                std::string("cannot be ") + what + ": " + std::generic_category().message(error));
}

/// 0, or the number of what went wrong.
int write_whole(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return ::fsync(descriptor) == 0 ? 0 : errno;
}

Status write_new(const std::filesystem::path& path, std::string_view bytes, mode_t mode) {
  const os::Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode));
  if (file.number() < 0) return failed("created", errno);
  if (const int error = write_whole(file.number(), bytes); error != 0) {
    ::unlink(path.c_str());
    return failed("written", error);
  }
  return {};
}

}  // namespace

Result<std::string> read_private_file(const std::filesystem::path& path, std::size_t bytes_max,
                                      mode_t forbidden) {
  const os::Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat status = {};
  if (file.number() < 0 || ::fstat(file.number(), &status) != 0) return failed("read", errno);
  if ((status.st_mode & forbidden) != 0) {
    return Status(ErrorCode::kPermissionDenied,
                  "may be " + std::string((status.st_mode & 022) != 0 ? "written" : "read") +
                      " by others than its owner: chmod 600 makes it its owner's alone");
  }
  std::string bytes(bytes_max + 1, '\0');
  std::size_t size = 0;
  while (size < bytes.size()) {
    const ssize_t got = ::read(file.number(), bytes.data() + size, bytes.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return failed("read", errno);
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
  }
  if (size > bytes_max) {
    return Status(ErrorCode::kOutOfRange,
                  "is larger than the most that is read, " + std::to_string(bytes_max) + " bytes");
  }
  bytes.resize(size);
  return bytes;
}

Status write_new_private_file(const std::filesystem::path& path, std::string_view bytes) {
  return write_new(path, bytes, kOwnerOnly);
}

Status replace_file(const std::filesystem::path& path, std::string_view bytes, mode_t mode) {
  const std::filesystem::path part = path.string() + ".part";
  ::unlink(part.c_str());  // A file left by an interrupted run may have a wider mode.
  if (Status status = write_new(part, bytes, mode); !status.ok()) return status;
  if (::rename(part.c_str(), path.c_str()) == 0) return {};
  const int error = errno;
  ::unlink(part.c_str());
  return failed("written", error);
}

}  // namespace sweepd::tools
