// SPDX-License-Identifier: MIT
#include "collision/id_index.h"

#include "base/assert.h"
#include "base/growth.h"

namespace sweepd::collision {

void IdIndex::insert(ObjectId id, std::uint32_t position) {
  SWEEPD_ASSERT(position != kNone);
  std::uint32_t page = pages_by_number_.find(id >> kPageBits, number_at());
  if (page == kNone) page = add_page(id >> kPageBits);
  std::uint32_t& cell = pages_[page].positions[id & (kPageSize - 1)];
  SWEEPD_ASSERT(cell == kNone);
  cell = position;
  ++pages_[page].used;
  ++size_;
}

std::uint32_t IdIndex::add_page(std::uint32_t number) {
  if (free_pages_.empty()) {
    free_pages_.push_back(static_cast<std::uint32_t>(pages_.size()));
    base::append_tightly(pages_);
  }
  const std::uint32_t page = free_pages_.back();
  free_pages_.pop_back();
  pages_[page].positions.fill(kNone);
  pages_[page].number = number;
  pages_[page].used = 0;
  pages_by_number_.insert(number, page);
  return page;
}

void IdIndex::erase(ObjectId id) {
  const std::uint32_t page = pages_by_number_.find(id >> kPageBits, number_at());
  SWEEPD_ASSERT(page != kNone);
  std::uint32_t& cell = pages_[page].positions[id & (kPageSize - 1)];
  SWEEPD_ASSERT(cell != kNone);
  cell = kNone;
  --size_;
  if (--pages_[page].used > 0) return;
  pages_by_number_.erase(id >> kPageBits, number_at());
  free_pages_.push_back(page);
}

}  // namespace sweepd::collision
