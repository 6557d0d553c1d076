// SPDX-License-Identifier: MIT
#include "collision/broadphase/layer_boxes.h"

#include <algorithm>

#include "base/assert.h"
#include "base/growth.h"

namespace sweepd::collision {
namespace {

Displacement displacement_of(const PackedBox& before, const PackedBox& now) {
  return {std::int64_t{now.min_x} - before.min_x, std::int64_t{now.min_y} - before.min_y};
}

bool has_moved_so(const PackedBox& before, const PackedBox& now, Displacement displacement) {
  const Displacement max{std::int64_t{before.not_max_x} - now.not_max_x,
                         std::int64_t{before.not_max_y} - now.not_max_y};
  return displacement_of(before, now) == displacement && max == displacement;
}

}  // namespace

LayerBoxes::Slot LayerBoxes::add(PartHandle part, std::uint32_t object, const PackedBox& box) {
  Slot slot = static_cast<Slot>(now_.size());
  if (free_.empty()) {
    grow_if_full();
    before_.push_back(kNoBox);
    now_.push_back(box);
    owners_.push_back({part, object});
  } else {
    slot = free_.back();
    free_.pop_back();
    now_[slot] = box;
    owners_[slot] = {part, object};
  }
  note_change(slot);
  return slot;
}

void LayerBoxes::grow_if_full() {
  if (now_.size() < now_.capacity()) return;
  const std::size_t capacity = base::tight_capacity(now_.size());
  before_.reserve(capacity);
  now_.reserve(capacity);
  owners_.reserve(capacity);
}

std::span<const LayerBoxes::Slot> LayerBoxes::changed() const {
  SWEEPD_ASSERT(changed_count_ <= changed_.size());
  return {changed_.data(), changed_count_};
}

/// Boyer and Moore's vote: what a majority has is what is left.
Displacement LayerBoxes::most_common_displacement() const {
  Displacement candidate;
  std::int64_t votes = 0;
  for (Slot slot = 0; slot < now_.size(); ++slot) {
    if (now_[slot] == kNoBox && before_[slot] == kNoBox) continue;  // Free.
    const Displacement displacement = displacement_of(before_[slot], now_[slot]);
    if (votes == 0) candidate = displacement;
    votes += displacement == candidate ? 1 : -1;
  }
  return candidate;
}

void LayerBoxes::find_moved_otherwise(Displacement displacement, std::vector<Slot>& others) const {
  others.clear();
  for (Slot slot = 0; slot < now_.size(); ++slot) {
    if (now_[slot] == kNoBox && before_[slot] == kNoBox) continue;
    if (!has_moved_so(before_[slot], now_[slot], displacement)) others.push_back(slot);
  }
}

void LayerBoxes::settle() {
  if (changed_count_ == 0) return;
  if (changed_count_ <= changed_.size()) {
    for (const Slot slot : changed()) before_[slot] = now_[slot];
  } else {
    std::copy(now_.begin(), now_.end(), before_.begin());
  }
  free_.insert(free_.end(), removed_.begin(), removed_.end());
  removed_.clear();
  changed_count_ = 0;
  changed_.resize(now_.size() / kFewChanges);
}

void LayerBoxes::validate() const {
  SWEEPD_ASSERT(before_.size() == now_.size() && owners_.size() == now_.size());
  SWEEPD_ASSERT(free_.size() <= now_.size());
  SWEEPD_ASSERT(changed_count_ == 0 && removed_.empty() && before_ == now_);
  for (const Slot slot : free_) SWEEPD_ASSERT(now_[slot] == kNoBox);
}

}  // namespace sweepd::collision
