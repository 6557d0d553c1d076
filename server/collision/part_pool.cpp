// SPDX-License-Identifier: MIT
#include "collision/part_pool.h"

#include <algorithm>

#include "base/assert.h"
#include "base/growth.h"

namespace sweepd::collision {

PartHandle PartPool::add(ObjectSlot owner, std::span<const Part> parts) {
  SWEEPD_ASSERT(!parts.empty() && parts.size() <= kPartsMax);
  const PartHandle first = take_rows(parts.size());
  std::copy(parts.begin(), parts.end(), parts_.begin() + first);
  if (parts.size() > 1) parts_[first + parts.size()].box = bounds_of(parts);
  for (std::uint32_t part = 0; part < parts.size(); ++part) owners_[first + part] = {owner, part};
  return first;
}

PartHandle PartPool::take_rows(std::size_t count) {
  if (count < free_.size() && !free_[count].empty()) {
    const PartHandle first = free_[count].back();
    free_[count].pop_back();
    return first;
  }
  const auto first = static_cast<PartHandle>(parts_.size());
  base::grow_to(parts_, parts_.size() + rows_of(count));
  base::grow_to(owners_, parts_.size());
  return first;
}

void PartPool::release(PartHandle first, std::uint8_t count) {
  SWEEPD_ASSERT(count > 0 && first + rows_of(count) <= parts_.size());
  released_.push_back({first, count});
}

void PartPool::recycle() {
  for (const Range& range : released_) {
    if (range.count >= free_.size()) free_.resize(range.count + 1u);
    free_[range.count].push_back(range.first);
  }
  released_.clear();
}

void PartPool::clear() { *this = PartPool{}; }

Box bounds_of(std::span<const Part> parts) {
  SWEEPD_ASSERT(!parts.empty());
  Box bounds = parts[0].box;
  for (const Part& part : parts.subspan(1)) {
    bounds = {std::min(bounds.min_x, part.box.min_x), std::min(bounds.min_y, part.box.min_y),
              std::max(bounds.max_x, part.box.max_x), std::max(bounds.max_y, part.box.max_y)};
  }
  return bounds;
}

std::uint64_t layers_of(std::span<const Part> parts) {
  std::uint64_t layers = 0;
  for (const Part& part : parts) layers |= std::uint64_t{1} << part.layer;
  return layers;
}

}  // namespace sweepd::collision
