// SPDX-License-Identifier: MIT
#include "collision/broadphase/change_finder.h"

#include "collision/broadphase/overlap_kernels.h"

namespace sweepd::collision {
void ChangeFinder::set_limit(std::size_t limit) {
  found_.set_limit(limit);
  candidates_.set_limit(limit);
}

bool ChangeFinder::find(const Side& a, const Side& b, SlotPairs& began, SlotPairs& ended) {
  began.clear();
  ended.clear();
  const auto record = [&](LayerBoxes::Slot slot_a, LayerBoxes::Slot slot_b) {
    (overlap(a.boxes.now()[slot_a], b.boxes.now()[slot_b]) ? began : ended).push(slot_a, slot_b);
  };
  if (!compare(a, b)) return false;
  for (std::size_t i = 0; i < found_.size(); ++i) record(a.changed[found_.first()[i]], found_.second()[i]);
  if (!compare(b, a)) return false;
  mark(a.changed, a.boxes.now().size());
  for (std::size_t i = 0; i < found_.size(); ++i) {
    const auto slot_a = found_.second()[i];
    if (!is_marked_[slot_a]) record(slot_a, b.changed[found_.first()[i]]);  // Else it was found from there.
  }
  unmark(a.changed);
  return true;
}

bool ChangeFinder::find_self(const Side& side, SlotPairs& began, SlotPairs& ended) {
  began.clear();
  ended.clear();
  if (!compare(side, side)) return false;
  mark(side.changed, side.boxes.now().size());
  for (std::size_t i = 0; i < found_.size(); ++i) {
    const auto first = side.changed[found_.first()[i]];
    const auto second = found_.second()[i];
    if (second <= first && is_marked_[second]) continue;  // Found from the other side, or the same.
    (overlap(side.boxes.now()[first], side.boxes.now()[second]) ? began : ended).push(first, second);
  }
  unmark(side.changed);
  return true;
}

bool ChangeFinder::compare(const Side& from, const Side& with) {
  found_.clear();
  candidates_.clear();
  const std::size_t changed_count = from.changed.size();
  if (changed_count == 0) return true;
  before_.clear();
  now_.clear();
  for (const auto slot : from.changed) {
    before_.push_back(from.boxes.before()[slot]);
    now_.push_back(from.boxes.now()[slot]);
  }
  if (with.standing != nullptr) {
    with.standing->prepare(with.boxes, changed_count, cells_);
    compare_sorted(with, changed_count);
    if (!candidates_.is_over_limit()) compare_strays(with, changed_count);
  } else {
    kernels::scan_changes({before_.data(), now_.data(), changed_count},
                          {with.boxes.before().data(), with.boxes.now().data(), with.boxes.now().size()},
                          found_);
  }
  return !found_.is_over_limit() && !candidates_.is_over_limit();
}

/// A box that stands is where it was: what finds it by the old place met it, by the new place meets it.
void ChangeFinder::compare_sorted(const Side& with, std::size_t changed_count) {
  const CellGrid& grid = with.standing->order().grid();
  const auto keep = [&](const std::vector<PackedBox>& other_places) {
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      const auto index = candidates_.first()[i];
      const auto slot = candidates_.second()[i];
      if (with.standing->is_stray(slot)) continue;
      if (!overlap(other_places[index], with.boxes.now()[slot])) found_.push(index, slot);
    }
  };
  candidates_.clear();
  kernels::search_cells({before_.data(), changed_count}, grid, with.boxes.now().data(), candidates_);
  keep(now_);
  candidates_.clear();
  kernels::search_cells({now_.data(), changed_count}, grid, with.boxes.now().data(), candidates_);
  if (!candidates_.is_over_limit()) keep(before_);
}

void ChangeFinder::compare_strays(const Side& with, std::size_t changed_count) {
  const StandingOrder& standing = *with.standing;
  others_.assign(standing.strays().begin(), standing.strays().end());
  for (const auto slot : standing.order().large()) {
    if (!standing.is_stray(slot)) others_.push_back(slot);
  }
  others_before_.clear();
  others_now_.clear();
  for (const auto slot : others_) {
    others_before_.push_back(with.boxes.before()[slot]);
    others_now_.push_back(with.boxes.now()[slot]);
  }
  candidates_.clear();
  kernels::scan_changes({before_.data(), now_.data(), changed_count},
                        {others_before_.data(), others_now_.data(), others_.size()}, candidates_);
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    found_.push(candidates_.first()[i], others_[candidates_.second()[i]]);
  }
}

void ChangeFinder::mark(Slots slots, std::size_t slot_count) {
  if (is_marked_.size() < slot_count) is_marked_.resize(slot_count);
  for (const auto slot : slots) is_marked_[slot] = true;
}

void ChangeFinder::unmark(Slots slots) {
  for (const auto slot : slots) is_marked_[slot] = false;
}

}  // namespace sweepd::collision
