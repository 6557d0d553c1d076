// SPDX-License-Identifier: MIT
#include "collision/broadphase/slot_pairs.h"

#include <algorithm>

namespace sweepd::collision {

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
