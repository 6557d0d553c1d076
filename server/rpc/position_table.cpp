// SPDX-License-Identifier: MIT
#include "rpc/position_table.h"

#include <utility>

#include "base/assert.h"
#include "base/hash.h"

namespace sweepd::rpc {

std::size_t PositionTable::home_of(collision::ObjectId id) const {
  return base::mix_word(id) & (slots_.size() - 1);
}

std::size_t PositionTable::slot_of(collision::ObjectId id) const {
  SWEEPD_ASSERT(size_ * 2 <= slots_.size() && !slots_.empty());
  std::size_t slot = home_of(id);
  while (slots_[slot].is_used && slots_[slot].id != id) slot = (slot + 1) & (slots_.size() - 1);
  return slot;
}

const SentPosition* PositionTable::find(collision::ObjectId id) const {
  if (size_ == 0) return nullptr;
  const Slot& slot = slots_[slot_of(id)];
  return slot.is_used ? &slot.position : nullptr;
}

PositionTable::Place PositionTable::find_or_add(collision::ObjectId id) {
  if ((size_ + 1) * 2 > slots_.size()) grow();
  Slot& slot = slots_[slot_of(id)];
  if (slot.is_used) return {&slot.position, false};
  if (size_ == positions_max_) return {};
  ++size_;
  slot = {id, true, {}};
  return {&slot.position, true};
}

bool PositionTable::set(collision::ObjectId id, const SentPosition& position) {
  SentPosition* const place = find_or_add(id).position;
  if (place != nullptr) *place = position;
  return place != nullptr;
}

// Closes the gap: whoever had to probe past the erased slot moves back towards its home.
void PositionTable::erase(collision::ObjectId id) {
  if (size_ == 0) return;
  std::size_t gap = slot_of(id);
  if (!slots_[gap].is_used) return;
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t next = (gap + 1) & mask; slots_[next].is_used; next = (next + 1) & mask) {
    const std::size_t probes = (next - home_of(slots_[next].id)) & mask;
    if (probes < ((next - gap) & mask)) continue;
    slots_[gap] = slots_[next];
    gap = next;
  }
  slots_[gap] = {};
  --size_;
}

void PositionTable::grow() {
  const std::vector<Slot> old =
      std::exchange(slots_, std::vector<Slot>(slots_.empty() ? 64 : slots_.size() * 2));
  for (const Slot& slot : old) {
    if (slot.is_used) slots_[slot_of(slot.id)] = slot;
  }
}

}  // namespace sweepd::rpc
