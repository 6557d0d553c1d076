// SPDX-License-Identifier: MIT
#include "tools/sweepctl/small_file.h"

#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "tools/sweepctl/regular_file.h"

namespace sweepd::tools {

Result<std::string> read_small_file(const std::filesystem::path& path, std::size_t bytes_max) {
  const auto file = open_regular_file(path);
  if (!file) return file.status();
  std::string bytes(bytes_max + 1, '\0');
  std::size_t size = 0;
  while (size < bytes.size()) {
    const ssize_t count = ::read(file->number(), bytes.data() + size, bytes.size() - size);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0)
      return Status(ErrorCode::kNotFound, "cannot be read: " + std::generic_category().message(errno));
    if (count == 0) break;
    size += static_cast<std::size_t>(count);
  }
  if (size > bytes_max) {
    return Status(ErrorCode::kOutOfRange,
                  "is larger than the most that is read, " + std::to_string(bytes_max) + " bytes");
  }
  bytes.resize(size);
  return bytes;
}

}  // namespace sweepd::tools
