// SPDX-License-Identifier: MIT
#include "collision/deadlines.h"

#include <algorithm>
#include <functional>

#include "base/assert.h"
#include "base/growth.h"

namespace sweepd::collision {

void Deadlines::note(ObjectSlot slot, Tick tick) {
  SWEEPD_ASSERT(slot != kNoSlot && tick != 0);
  if (slot >= due_.size()) base::grow_to(due_, slot + std::size_t{1});
  if (due_[slot] == 0) ++size_;
  due_[slot] = tick;
}

void Deadlines::clear(ObjectSlot slot) {
  if (slot >= due_.size() || due_[slot] == 0) return;
  due_[slot] = 0;
  --size_;
}

std::optional<Tick> Deadlines::find(ObjectSlot slot) const {
  if (slot >= due_.size() || due_[slot] == 0) return std::nullopt;
  return due_[slot];
}

void Deadlines::push(const Entry& entry) {
  base::append_tightly(heap_, entry);
  std::push_heap(heap_.begin(), heap_.end(), std::greater<>{});
}

Deadlines::Entry Deadlines::pop() {
  std::pop_heap(heap_.begin(), heap_.end(), std::greater<>{});
  const Entry entry = heap_.back();
  heap_.pop_back();
  return entry;
}

/// One that was set to the same tick twice is there twice.
void Deadlines::tidy() {
  std::sort(heap_.begin(), heap_.end());  // Sorted is a heap, too.
  heap_.erase(std::unique(heap_.begin(), heap_.end()), heap_.end());
}

void Deadlines::clear() { *this = Deadlines{}; }

}  // namespace sweepd::collision
