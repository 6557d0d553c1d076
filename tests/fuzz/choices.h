// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace sweepd::fuzz {

/// The bytes of an input as choices; once they are used up, always the first.
class Choices {
 public:
  explicit Choices(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}
  explicit Choices(std::string_view bytes)
      : Choices({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}) {}

  bool has_any() const { return !bytes_.empty(); }
  std::uint64_t choose(std::uint64_t count) {
    std::uint64_t word = 0;
    for (std::uint64_t range = 1; range < count && has_any(); range <<= 8) {
      word = word << 8 | bytes_.front();
      bytes_ = bytes_.subspan(1);
      if (range > count >> 8) break;
    }
    return word % count;
  }

 private:
  std::span<const std::uint8_t> bytes_;
};

}  // namespace sweepd::fuzz
