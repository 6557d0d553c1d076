// SPDX-License-Identifier: MIT
#include "match/history/part_store.h"

#include <algorithm>

#include "base/assert.h"
#include "base/growth.h"

namespace sweepd::match {

PartStore::List PartStore::add(std::span<const collision::Part> parts) {
  SWEEPD_ASSERT(!parts.empty() && parts.size() <= collision::kPartsMax);
  List list{.first = static_cast<std::uint32_t>(parts_.size()),
            .count = static_cast<std::uint8_t>(parts.size())};
  std::vector<std::uint32_t>& free = free_[parts.size()];
  if (free.empty()) {
    base::grow_to(parts_, parts_.size() + parts.size());
  } else {
    list.first = free.back();
    free.pop_back();
  }
  std::ranges::copy(parts, parts_.begin() + list.first);
  return list;
}

void PartStore::release(List list) { free_[list.count].push_back(list.first); }

}  // namespace sweepd::match
