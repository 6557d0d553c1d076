// SPDX-License-Identifier: MIT
#include "runtime/replays/replay_file.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace sweepd::runtime {

ReplayFile::~ReplayFile() { ::close(descriptor_); }

std::optional<std::string> ReplayFile::read(std::uint64_t offset, std::size_t bytes_max) const {
  if (offset >= size_) return std::string();
  std::string bytes(static_cast<std::size_t>(std::min<std::uint64_t>(bytes_max, size_ - offset)), '\0');
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t count =
        ::pread(descriptor_, bytes.data() + done, bytes.size() - done, static_cast<off_t>(offset + done));
    if (count < 0 && errno == EINTR) continue;
    // Nothing where bytes have to be: the file has been truncated.
    if (count <= 0) return std::nullopt;
    done += static_cast<std::size_t>(count);
  }
  return bytes;
}

}  // namespace sweepd::runtime
