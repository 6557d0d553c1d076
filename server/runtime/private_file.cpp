// SPDX-License-Identifier: MIT
#include "runtime/private_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <sstream>

#include "runtime/replays/file_error.h"

namespace sweepd::runtime {
namespace {

constexpr std::size_t kFileBytesMax = 64 * 1024;

std::string read_open_file(int descriptor, const std::filesystem::path& path, const std::string& what,
                           std::string& content) {
  struct stat status = {};
  if (fstat(descriptor, &status) != 0) return file_error("read", path, errno);
  if ((status.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
    std::ostringstream mode;
    mode << std::oct << (status.st_mode & 07777);
    return path.string() + " may be read or written by others than its owner (mode 0" + mode.str() + "); " +
           what + " has to be its owner's alone: chmod 600 " + path.string();
  }
  content.resize(kFileBytesMax);
  const ssize_t size = ::read(descriptor, content.data(), content.size());
  if (size < 0) return file_error("read", path, errno);
  content.resize(static_cast<std::size_t>(size));
  return {};
}

}  // namespace

std::string read_private_file(const std::filesystem::path& path, const std::string& what,
                              std::string& content) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return file_error("read", path, errno);
  std::string fault = read_open_file(descriptor, path, what, content);
  close(descriptor);
  return fault;
}

}  // namespace sweepd::runtime
