// SPDX-License-Identifier: MIT
#include "tools/sweepctl/small_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <system_error>

#include "tools/sweepctl/regular_file.h"

namespace sweepd::tools {
namespace {

Status unreadable(int error) {
  return Status(ErrorCode::kNotFound, "cannot be read: " + std::generic_category().message(error));
}

}  // namespace

Result<std::string> read_small_file(const std::filesystem::path& path, std::size_t bytes_max) {
  const auto file = open_regular_file(path);
  if (!file) return file.status();
  const Status too_large(ErrorCode::kOutOfRange,
                         "is larger than the most that is read, " + std::to_string(bytes_max) + " bytes");
  struct stat status = {};
  if (::fstat(file->number(), &status) != 0) return unreadable(errno);
  if (static_cast<std::uint64_t>(status.st_size) > bytes_max) return too_large;
  std::string bytes;
  bytes.reserve(static_cast<std::size_t>(status.st_size));
  std::array<char, std::size_t{64} << 10> piece;
  while (bytes.size() <= bytes_max) {  // It may grow meanwhile.
    const ssize_t count = ::read(file->number(), piece.data(), piece.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return unreadable(errno);
    if (count == 0) return bytes;
    bytes.append(piece.data(), static_cast<std::size_t>(count));
  }
  return too_large;
}

}  // namespace sweepd::tools
