// SPDX-License-Identifier: MIT
#include "tools/sweepctl/regular_file.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <system_error>

namespace sweepd::tools {
namespace {

Status unreadable_file(int error) {
  return Status(ErrorCode::kNotFound, "cannot be read: " + std::generic_category().message(error));
}

}  // namespace

Result<os::Descriptor> open_regular_file(const std::filesystem::path& path) {
  // To open a pipe would wait for its writer.
  os::Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  struct stat status = {};
  if (!file.is_open() || ::fstat(file.number(), &status) != 0) return unreadable_file(errno);
  if (S_ISDIR(status.st_mode)) return unreadable_file(EISDIR);
  if (!S_ISREG(status.st_mode))
    return Status(ErrorCode::kNotFound, "cannot be read: it is a pipe or a device, and no file");
  return file;
}

}  // namespace sweepd::tools
