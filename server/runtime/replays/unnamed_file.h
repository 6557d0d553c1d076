// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string_view>

#include "runtime/replays/replay_file.h"

namespace sweepd::runtime {

/// A file without a name, which is gone when its last descriptor is closed. Throws StorageFailure.
class UnnamedFile {
 public:
  explicit UnnamedFile(const std::filesystem::path& directory);
  ~UnnamedFile();
  UnnamedFile(const UnnamedFile&) = delete;
  UnnamedFile& operator=(const UnnamedFile&) = delete;

  void append(std::string_view bytes);
  /// It, for reading. Once.
  std::shared_ptr<const ReplayFile> take();

 private:
  int descriptor_;
  std::uint64_t size_ = 0;
};

}  // namespace sweepd::runtime
