// SPDX-License-Identifier: MIT
#include "collision/broadphase/change_finder.h"

#include "collision/broadphase/overlap_kernels.h"

namespace sweepd::collision {

void ChangeFinder::find(const LayerBoxes& a, Slots changed_a, const LayerBoxes& b, Slots changed_b,
                        SlotPairs& began, SlotPairs& ended) {
  began.clear();
  ended.clear();
  compare(a, changed_a, b);
  for (std::size_t i = 0; i < found_.size(); ++i) {
    const auto slot_a = changed_a[found_.first()[i]];
    const auto slot_b = found_.second()[i];
    (overlap(a.now()[slot_a], b.now()[slot_b]) ? began : ended).push(slot_a, slot_b);
  }
  compare(b, changed_b, a);
  mark(changed_a, a.now().size());
  for (std::size_t i = 0; i < found_.size(); ++i) {
    const auto slot_a = found_.second()[i];
    const auto slot_b = changed_b[found_.first()[i]];
    if (is_marked_[slot_a]) continue;  // Found from the other side.
    (overlap(a.now()[slot_a], b.now()[slot_b]) ? began : ended).push(slot_a, slot_b);
  }
  unmark(changed_a);
}

void ChangeFinder::find_self(const LayerBoxes& boxes, Slots changed, SlotPairs& began, SlotPairs& ended) {
  began.clear();
  ended.clear();
  compare(boxes, changed, boxes);
  mark(changed, boxes.now().size());
  for (std::size_t i = 0; i < found_.size(); ++i) {
    const auto first = changed[found_.first()[i]];
    const auto second = found_.second()[i];
    if (second <= first && is_marked_[second]) continue;  // Found from the other side, or the same.
    (overlap(boxes.now()[first], boxes.now()[second]) ? began : ended).push(first, second);
  }
  unmark(changed);
}

void ChangeFinder::compare(const LayerBoxes& from, Slots changed, const LayerBoxes& with) {
  before_.clear();
  now_.clear();
  for (const auto slot : changed) {
    before_.push_back(from.before()[slot]);
    now_.push_back(from.now()[slot]);
  }
  found_.clear();
  kernels::scan_changes({before_.data(), now_.data(), changed.size()},
                        {with.before().data(), with.now().data(), with.now().size()}, found_);
}

void ChangeFinder::mark(Slots slots, std::size_t slot_count) {
  if (is_marked_.size() < slot_count) is_marked_.resize(slot_count);
  for (const auto slot : slots) is_marked_[slot] = true;
}

void ChangeFinder::unmark(Slots slots) {
  for (const auto slot : slots) is_marked_[slot] = false;
}

}  // namespace sweepd::collision
