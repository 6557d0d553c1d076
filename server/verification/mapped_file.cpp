// SPDX-License-Identifier: MIT
#include "verification/mapped_file.h"

#include <sys/mman.h>
#include <sys/stat.h>

namespace sweepd::verification {

std::optional<MappedFile> MappedFile::map(int descriptor) {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) return std::nullopt;
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size == 0) return MappedFile(std::string_view());
  void* bytes = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
  if (bytes == MAP_FAILED) return std::nullopt;
  return MappedFile(std::string_view(static_cast<const char*>(bytes), size));
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) ::munmap(const_cast<char*>(bytes_.data()), bytes_.size());
}

}  // namespace sweepd::verification
