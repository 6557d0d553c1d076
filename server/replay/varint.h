// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sweepd::replay {

/// Small numbers of either sign become small numbers: 0, -1, 1, -2 become 0, 1, 2, 3.
constexpr std::uint64_t zigzag(std::int64_t value) {
  return static_cast<std::uint64_t>(value) << 1 ^ static_cast<std::uint64_t>(value >> 63);
}
constexpr std::int64_t unzigzag(std::uint64_t code) {
  return static_cast<std::int64_t>(code >> 1 ^ (~(code & 1) + 1));
}

/// Appends numbers in LEB128: seven bits a byte, the low ones first.
inline void append_varint(std::string& column, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) column.push_back(static_cast<char>(value | 0x80));
  column.push_back(static_cast<char>(value));
}

/// Reads what append_varint wrote. `column` must outlive it.
class VarintReader {
 public:
  explicit VarintReader(std::string_view column)
      : next_(column.data()), end_(column.data() + column.size()) {}

  /// Nothing where the column ends, or its next number has more than 64 bits.
  std::optional<std::uint64_t> next() {
    if (next_ != end_ && static_cast<unsigned char>(*next_) < 0x80) {
      return static_cast<unsigned char>(*next_++);
    }
    return next_large();
  }

  /// The same for numbers of at most 32 bits.
  std::optional<std::uint32_t> next_small() {
    if (next_ != end_ && static_cast<unsigned char>(*next_) < 0x80) {
      return static_cast<unsigned char>(*next_++);
    }
    const std::optional<std::uint64_t> value = next();
    if (!value || *value > ~std::uint32_t{0}) return std::nullopt;
    return static_cast<std::uint32_t>(*value);
  }

  bool is_at_end() const { return next_ == end_; }
  std::size_t bytes_left() const { return static_cast<std::size_t>(end_ - next_); }

 private:
  std::optional<std::uint64_t> next_large() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; next_ != end_ && shift < 64; shift += 7) {
      const auto byte = static_cast<unsigned char>(*next_++);
      if (shift == 63 && byte > 1) return std::nullopt;
      value |= std::uint64_t{byte & 0x7fu} << shift;
      if (byte < 0x80) return value;
    }
    return std::nullopt;
  }

  const char* next_;
  const char* end_;
};

}  // namespace sweepd::replay
