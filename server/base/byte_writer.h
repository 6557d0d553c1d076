// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace sweepd::base {

/// Appends values to a string of bytes, small numbers in few: seven bits a byte, the lowest first, the eighth
/// bit set where more follow. The same values always make the same bytes. ByteReader reads them back.
class ByteWriter {
 public:
  void byte(std::uint8_t value) { bytes_.push_back(static_cast<char>(value)); }
  void boolean(bool value) { byte(value ? 1 : 0); }

  void number(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) byte(static_cast<std::uint8_t>(value | 0x80));
    byte(static_cast<std::uint8_t>(value));
  }

  /// 0, -1, 1, -2, … as 0, 1, 2, 3, …
  void signed_number(std::int64_t value) {
    number(static_cast<std::uint64_t>(value) << 1 ^ static_cast<std::uint64_t>(value >> 63));
  }

  /// In eight bytes, for what is large as a rule.
  void word(std::uint64_t value) {
    for (int shift = 0; shift < 64; shift += 8) byte(static_cast<std::uint8_t>(value >> shift));
  }

  /// With its length before it.
  void text(std::string_view value) {
    number(value.size());
    raw(value);
  }
  void raw(std::string_view value) { bytes_.append(value); }

  std::size_t size() const { return bytes_.size(); }
  std::string_view bytes() const { return bytes_; }
  std::string take() { return std::exchange(bytes_, {}); }

 private:
  std::string bytes_;
};

}  // namespace sweepd::base
