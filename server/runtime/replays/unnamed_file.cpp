// SPDX-License-Identifier: MIT
#include "runtime/replays/unnamed_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

#include "runtime/journal/sqlite.h"

namespace sweepd::runtime {
namespace {

[[noreturn]] void fail(const std::string& doing) {
  const int number = errno;
  throw StorageFailure(0, doing + ": " + std::strerror(number), number);
}

}  // namespace

UnnamedFile::UnnamedFile(const std::filesystem::path& directory) {
  descriptor_ = open(directory.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (descriptor_ >= 0) return;
  // Not every filesystem knows that. A server that dies between these two lines leaves an empty file.
  std::string name = (directory / "replay-XXXXXX").string();
  descriptor_ = mkostemp(name.data(), O_CLOEXEC);
  if (descriptor_ < 0) fail("cannot create a file in " + directory.string());
  unlink(name.c_str());
}

UnnamedFile::~UnnamedFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

void UnnamedFile::append(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("cannot write a replay");
    size_ += static_cast<std::uint64_t>(written);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

std::shared_ptr<const ReplayFile> UnnamedFile::take() {
  return std::make_shared<const ReplayFile>(std::exchange(descriptor_, -1), size_);
}

}  // namespace sweepd::runtime
