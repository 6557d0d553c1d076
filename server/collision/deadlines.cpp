// SPDX-License-Identifier: MIT
#include "collision/deadlines.h"

#include <algorithm>
#include <functional>

#include "base/assert.h"
#include "base/growth.h"

namespace sweepd::collision {

void Deadlines::set(ObjectId id, Tick tick) {
  SWEEPD_ASSERT(id != 0 && tick != 0);
  const std::uint32_t position = positions_.find(id, id_at());
  if (position == positions_.kNone) {
    base::append_tightly(entries_, entry(tick, id));
    positions_.insert(id, static_cast<std::uint32_t>(entries_.size() - 1));
  } else {
    entries_[position] = entry(tick, id);
  }
  if (tick == kForever) return;
  if (heap_.size() > entries_.size() + entries_.size() / 4 + 64) compact();
  base::append_tightly(heap_, entry(tick, id));
  std::push_heap(heap_.begin(), heap_.end(), std::greater<>{});
}

void Deadlines::clear(ObjectId id) {
  const std::uint32_t position = positions_.find(id, id_at());
  if (position == positions_.kNone) return;
  positions_.erase(id, id_at());
  if (position + 1 != entries_.size()) {
    positions_.reposition(entries_.back().id, position, id_at());
    entries_[position] = entries_.back();
  }
  entries_.pop_back();
}

std::optional<Tick> Deadlines::find(ObjectId id) const {
  const std::uint32_t position = positions_.find(id, id_at());
  if (position == positions_.kNone) return std::nullopt;
  return entries_[position].tick();
}

ObjectId Deadlines::take(Tick tick) {
  while (!heap_.empty() && heap_.front().tick() <= tick) {
    std::pop_heap(heap_.begin(), heap_.end(), std::greater<>{});
    const Entry entry = heap_.back();
    heap_.pop_back();
    if (find(entry.id) != entry.tick()) continue;
    clear(entry.id);
    return entry.id;
  }
  return 0;
}

void Deadlines::compact() {
  heap_.assign(entries_.begin(), entries_.end());
  std::erase_if(heap_, [](const Entry& entry) { return entry.tick() == kForever; });
  std::sort(heap_.begin(), heap_.end());  // Sorted is a heap, too.
}

void Deadlines::clear() { *this = Deadlines{}; }

}  // namespace sweepd::collision
