// SPDX-License-Identifier: MIT
#include "fuzz/decoders/memory_file.h"

#include <sys/mman.h>
#include <unistd.h>

#include <string>

#include "base/assert.h"

namespace sweepd::fuzz {

std::filesystem::path memory_file(std::string_view content) {
  static const int descriptor = ::memfd_create("input", MFD_CLOEXEC);
  SWEEPD_ASSERT(descriptor >= 0 && ::ftruncate(descriptor, 0) == 0);
  const ssize_t written = ::pwrite(descriptor, content.data(), content.size(), 0);
  SWEEPD_ASSERT(written == static_cast<ssize_t>(content.size()));
  return "/proc/self/fd/" + std::to_string(descriptor);
}

}  // namespace sweepd::fuzz
