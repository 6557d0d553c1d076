// SPDX-License-Identifier: MIT
#include "tools/sweepctl/small_file.h"

#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>

namespace sweepd::tools {
namespace {

Status unreadable(int error) {
  return Status(ErrorCode::kNotFound, "cannot be read: " + std::generic_category().message(error));
}

}  // namespace

Result<std::string> read_small_file(const std::filesystem::path& path, std::size_t bytes_max) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), &std::fclose);
  if (file == nullptr) return unreadable(errno);
  std::string bytes(bytes_max + 1, '\0');
  const std::size_t size = std::fread(bytes.data(), 1, bytes.size(), file.get());
  if (std::ferror(file.get()) != 0) return unreadable(errno);  // EISDIR, for one.
  if (size > bytes_max) {
    return Status(ErrorCode::kOutOfRange,
                  "is larger than the most that is read, " + std::to_string(bytes_max) + " bytes");
  }
  bytes.resize(size);
  return bytes;
}

}  // namespace sweepd::tools
