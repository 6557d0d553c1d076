// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

namespace sweepd::verification {

/// The bytes of an open file in memory, to be read, while this lives.
class MappedFile {
 public:
  /// The whole file as long as it now is. Nothing: it cannot be had; `errno` says why.
  static std::optional<MappedFile> map(int descriptor);

  MappedFile(MappedFile&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}
  MappedFile& operator=(MappedFile&& other) noexcept {
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~MappedFile();

  std::string_view bytes() const { return bytes_; }

 private:
  explicit MappedFile(std::string_view bytes) : bytes_(bytes) {}

  std::string_view bytes_;  ///< Empty: nothing is mapped.
};

}  // namespace sweepd::verification
