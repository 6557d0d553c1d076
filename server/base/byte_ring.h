// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace sweepd::base {

/// Bytes that come at the end and go at the front, in one block: little more than they need, and no request
/// to the heap as long as as many go as come.
class ByteRing {
 public:
  ByteRing() = default;
  ByteRing(ByteRing&& other) noexcept
      : bytes_(std::move(other.bytes_)),
        capacity_(std::exchange(other.capacity_, 0)),
        front_(std::exchange(other.front_, 0)),
        size_(std::exchange(other.size_, 0)) {}
  ByteRing& operator=(ByteRing&&) = delete;

  void append(std::string_view bytes);
  /// At most as many as there are.
  void drop(std::size_t count);
  /// `count` bytes, or up to the end; `offset`: of the first, from the front.
  std::string copy(std::size_t offset, std::size_t count) const;

  std::size_t size() const { return size_; }
  std::size_t capacity() const { return capacity_; }

 private:
  void move_to(std::size_t capacity);

  std::unique_ptr<char[]> bytes_;
  std::size_t capacity_ = 0;
  std::size_t front_ = 0;
  std::size_t size_ = 0;
};

}  // namespace sweepd::base
