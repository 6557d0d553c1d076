// SPDX-License-Identifier: MIT
#include "collision/deadlines.h"

#include <algorithm>
#include <functional>

#include "base/assert.h"

namespace sweepd::collision {

void Deadlines::add(const Object& object, const ObjectTable& objects) {
  const Tick tick = tick_of_(object);
  if (tick == kForever) return;
  SWEEPD_ASSERT(tick != 0);
  if (heap_.size() > 2 * objects.size() + 64) compact(objects);
  heap_.push_back({tick, object.id});
  std::push_heap(heap_.begin(), heap_.end(), std::greater<>{});
}

Object* Deadlines::take(Tick tick, ObjectTable& objects) {
  while (!heap_.empty() && heap_.front().tick <= tick) {
    std::pop_heap(heap_.begin(), heap_.end(), std::greater<>{});
    const Entry entry = heap_.back();
    heap_.pop_back();
    if (holds(entry, objects)) return objects.find(entry.id);
  }
  return nullptr;
}

bool Deadlines::holds(const Entry& entry, const ObjectTable& objects) const {
  const Object* object = objects.find(entry.id);
  return object != nullptr && tick_of_(*object) == entry.tick;
}

void Deadlines::compact(const ObjectTable& objects) {
  std::erase_if(heap_, [&](const Entry& entry) { return !holds(entry, objects); });
  std::sort(heap_.begin(), heap_.end());  // Sorted is a heap, too.
  heap_.erase(std::unique(heap_.begin(), heap_.end()), heap_.end());
  SWEEPD_ASSERT(heap_.size() <= objects.size());
}

}  // namespace sweepd::collision
