// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/assert.h"

namespace sweepd::collision {

/// Pairs of slots in two columns, which is how vectors write them. Grows without initialising: the columns
/// are written before they are read. What fills it stops soon after it is over its limit, having found what
/// is of no use any more.
class SlotPairs {
 public:
  std::uint32_t* first() { return first_.get(); }
  std::uint32_t* second() { return second_.get(); }
  const std::uint32_t* first() const { return first_.get(); }
  const std::uint32_t* second() const { return second_.get(); }

  std::size_t size() const { return size_; }
  std::size_t capacity() const { return capacity_; }
  void clear() { size_ = 0; }
  std::size_t limit() const { return limit_; }
  void set_limit(std::size_t limit) { limit_ = limit; }
  bool is_over_limit() const { return size_ > limit_; }
  void set_size(std::size_t size) {
    SWEEPD_ASSERT(size <= capacity_);
    size_ = size;
  }

  void push(std::uint32_t first, std::uint32_t second) {
    if (size_ == capacity_) reserve_more(1);
    first_[size_] = first;
    second_[size_] = second;
    ++size_;
  }

  /// Becomes a copy of `other`.
  void assign(const SlotPairs& other);
  void swap_columns() { first_.swap(second_); }

  /// Room for `count` pairs beyond the present ones.
  void reserve_more(std::size_t count);

 private:
  std::unique_ptr<std::uint32_t[]> first_;
  std::unique_ptr<std::uint32_t[]> second_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
  std::size_t limit_ = ~std::size_t{0};
};

}  // namespace sweepd::collision
