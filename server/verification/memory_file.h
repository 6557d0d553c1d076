// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string_view>

#include "os/descriptor.h"

namespace sweepd::verification {

/// A file that is nowhere but in memory: it takes what is in it and less than a page more, and another
/// process can be given it without a copy. Made with the first bytes.
class MemoryFile {
 public:
  /// False: the system has no memory or no descriptors left for it; `errno` says which.
  bool append(std::string_view bytes);
  std::size_t size() const { return size_; }

  /// Makes it, where nothing has been appended. Not open: as `append`, false.
  const os::Descriptor& descriptor();
  void close();  ///< And forgets what is in it.

 private:
  os::Descriptor descriptor_;
  std::size_t size_ = 0;
};

}  // namespace sweepd::verification
