// SPDX-License-Identifier: MIT
#include "collision/broadphase/slot_pairs.h"

#include <algorithm>

namespace sweepd::collision {

void SlotPairs::assign(const SlotPairs& other) {
  size_ = 0;
  reserve_more(other.size_);
  size_ = other.size_;
  std::copy_n(other.first_.get(), size_, first_.get());
  std::copy_n(other.second_.get(), size_, second_.get());
}

void SlotPairs::reserve_more(std::size_t count) {
  if (size_ + count <= capacity_) return;
  const std::size_t capacity = std::max(size_ + count, capacity_ + capacity_ / 2);
  for (auto* column : {&first_, &second_}) {
    auto grown = std::make_unique_for_overwrite<std::uint32_t[]>(capacity);
    std::copy_n(column->get(), size_, grown.get());
    *column = std::move(grown);
  }
  capacity_ = capacity;
}

}  // namespace sweepd::collision
