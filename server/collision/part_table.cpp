// SPDX-License-Identifier: MIT
#include "collision/part_table.h"

#include "base/assert.h"

namespace sweepd::collision {

PartHandle PartTable::assign(ObjectSlot object, const std::vector<Part>& parts) {
  SWEEPD_ASSERT(!parts.empty() && parts.size() <= kPartsMax);
  std::vector<PartHandle>& ranges = free_[parts.size()];
  auto first = static_cast<PartHandle>(owners_.size());
  if (ranges.empty()) {
    owners_.resize(owners_.size() + parts.size());
  } else {
    first = ranges.back();
    ranges.pop_back();
  }
  for (std::size_t part = 0; part < parts.size(); ++part) {
    owners_[first + part] = {object, static_cast<std::uint8_t>(part), parts[part].layer};
  }
  return first;
}

void PartTable::release(PartHandle first, std::uint8_t count) {
  SWEEPD_ASSERT(count > 0 && first + count <= owners_.size());
  released_.push_back({first, count});
}

void PartTable::recycle() {
  for (const Range& range : released_) free_[range.count].push_back(range.first);
  released_.clear();
}

void PartTable::clear() { *this = PartTable{}; }

}  // namespace sweepd::collision
