// SPDX-License-Identifier: MIT
#include "verification/memory_file.h"

#include <sys/mman.h>

#include <cerrno>

namespace sweepd::verification {

const os::Descriptor& MemoryFile::descriptor() {
  if (!descriptor_.is_open())
    descriptor_ = os::Descriptor(::memfd_create("sweepd-verification", MFD_CLOEXEC));
  return descriptor_;
}

bool MemoryFile::append(std::string_view bytes) {
  if (!descriptor().is_open()) return false;
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_.number(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    size_ += static_cast<std::size_t>(written);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

void MemoryFile::close() {
  descriptor_.close();
  size_ = 0;
}

}  // namespace sweepd::verification
