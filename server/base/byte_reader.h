// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace sweepd::base {

/// What is wrong with bytes that were to be read, and where.
struct ByteFault {
  std::size_t offset = 0;
  const char* description = "";
};

/// Reads what ByteWriter wrote. The caller tells it of values that cannot be. Never reads beyond the end. The
/// first fault stays; after it every value is 0, so that a reader of many values may ask once, when all are
/// read: whatever is used as an index or a size has to be asked for before. The bytes must outlive it.
class ByteReader {
 public:
  /// `offset`: of the first byte in whatever it is part of, for faults.
  explicit ByteReader(std::string_view bytes, std::size_t offset = 0) : bytes_(bytes), offset_(offset) {}

  std::uint8_t byte() {
    if (!require(at_ < bytes_.size(), "is cut off")) return 0;
    return static_cast<std::uint8_t>(bytes_[at_++]);
  }
  bool boolean();

  std::uint64_t number() {
    if (at_ < bytes_.size() && static_cast<std::uint8_t>(bytes_[at_]) < 0x80) [[likely]]
      return byte();
    return long_number();
  }
  /// A number above `max` is a fault.
  std::uint64_t number(std::uint64_t max);
  std::uint32_t number32() { return static_cast<std::uint32_t>(number(~std::uint32_t{0})); }
  std::int64_t signed_number() {
    const std::uint64_t value = number();
    return static_cast<std::int64_t>(value >> 1 ^ (0 - (value & 1)));
  }
  std::int32_t signed_number32();
  std::uint64_t word();

  /// How many of something follow that takes `bytes_each` bytes at least: no more than there is room for, so
  /// that the caller never reserves more than the bytes can fill.
  std::size_t count(std::size_t bytes_each = 1);
  /// A fault where it is longer than `size_max`.
  std::string_view text(std::size_t size_max);
  std::string_view raw(std::size_t size);

  /// False, and a fault, if `condition` does not hold or there is a fault already.
  bool require(bool condition, const char* description) {
    if (condition && !fault_) [[likely]]
      return true;
    return fail(description);
  }
  void finish() { require(at_ == bytes_.size(), "has more bytes than it should"); }

  bool ok() const { return !fault_; }
  const std::optional<ByteFault>& fault() const { return fault_; }
  std::size_t offset() const { return offset_ + at_; }
  std::size_t remaining() const { return bytes_.size() - at_; }

 private:
  bool fail(const char* description);
  std::uint64_t long_number();

  std::string_view bytes_;
  std::size_t offset_;
  std::size_t at_ = 0;
  std::optional<ByteFault> fault_;
};

}  // namespace sweepd::base
