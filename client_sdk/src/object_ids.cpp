// SPDX-License-Identifier: MIT
#include "object_ids.h"

namespace sweepd::internal {

ObjectIds::ObjectIds(ObjectId first, ObjectId last, std::size_t skip) {
  if (last < first) return;
  first_ = first;
  last_ = last;
  next_ = first + static_cast<ObjectId>(skip % (std::uint64_t{last} - first + 1));
}

ObjectId ObjectIds::next_free() {
  if (empty()) return 0;
  const std::uint64_t size = std::uint64_t{last_} - first_ + 1;
  // Spares the walk over a whole block that is held.
  if (held_.size() >= size) return 0;
  for (std::uint64_t tried = 0; tried < size; ++tried) {
    if (!in_use(next_)) return next_;
    next_ = after(next_);
  }
  return 0;
}

void ObjectIds::spawned(ObjectId id, bool ends_by_itself) {
  in_progress_.insert(id);
  if (ends_by_itself) {
    held_.erase(id);
  } else {
    held_.insert(id);
  }
  if (id == next_) next_ = after(next_);
}

void ObjectIds::despawned(ObjectId id) {
  in_progress_.insert(id);
  despawned_.push_back(id);
}

void ObjectIds::frame_sent() {
  for (ObjectId id : despawned_) held_.erase(id);
  despawned_.clear();
  in_progress_.clear();
}

}  // namespace sweepd::internal
