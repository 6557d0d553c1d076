// SPDX-License-Identifier: MIT
#include "base/byte_reader.h"

#include <limits>

#include "base/assert.h"

namespace sweepd::base {

/// What is left is not to be read: so no loop that reads on meets anything but the end.
bool ByteReader::fail(const char* description) {
  if (!fault_) fault_ = {offset(), description};
  at_ = bytes_.size();
  return false;
}

bool ByteReader::boolean() {
  const std::uint8_t value = byte();
  require(value <= 1, "is neither yes nor no");
  return value == 1;
}

std::uint64_t ByteReader::long_number() {
  std::uint64_t value = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    const std::uint8_t next = byte();
    if (!require(shift < 63 || next <= 1, "is a number of more than 64 bits")) return 0;
    value |= std::uint64_t{next & 0x7fu} << shift;
    if (next < 0x80) return ok() ? value : 0;
  }
  return 0;
}

std::uint64_t ByteReader::number(std::uint64_t max) {
  const std::uint64_t value = number();
  return require(value <= max, "is a number larger than it can be") ? value : 0;
}

std::int32_t ByteReader::signed_number32() {
  using Limits = std::numeric_limits<std::int32_t>;
  const std::int64_t value = signed_number();
  const bool fits = value >= Limits::min() && value <= Limits::max();
  return require(fits, "is a number of more than 32 bits") ? static_cast<std::int32_t>(value) : 0;
}

std::uint64_t ByteReader::word() {
  std::uint64_t value = 0;
  for (int shift = 0; shift < 64; shift += 8) value |= std::uint64_t{byte()} << shift;
  return ok() ? value : 0;
}

std::size_t ByteReader::count(std::size_t bytes_each) {
  SWEEPD_ASSERT(bytes_each > 0);
  const std::uint64_t value = number();
  if (!require(value <= remaining() / bytes_each, "has more entries than bytes for them")) return 0;
  return static_cast<std::size_t>(value);
}

std::string_view ByteReader::text(std::size_t size_max) {
  return raw(static_cast<std::size_t>(number(size_max)));
}

std::string_view ByteReader::raw(std::size_t size) {
  if (!require(size <= remaining(), "is cut off")) return {};
  const std::string_view value = bytes_.substr(at_, size);
  at_ += size;
  return value;
}

}  // namespace sweepd::base
