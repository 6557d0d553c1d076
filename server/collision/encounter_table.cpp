// SPDX-License-Identifier: MIT
#include "collision/encounter_table.h"

#include <algorithm>
#include <iterator>

#include "base/assert.h"

namespace sweepd::collision {

void EncounterTable::apply(std::span<const EncounterChange> changes, Tick tick, std::vector<Encounter>& ended,
                           std::vector<Encounter>& began) {
  while (!changes.empty()) {
    const std::span<const EncounterChange> group = next_group(changes);
    changes = changes.subspan(group.size());
    const EncounterKey& key = group.front().key;
    const std::uint32_t position = positions_.find(key);
    const bool was_open = position != positions_.kNone;
    merge_pairs(was_open ? &open_[position] : nullptr, group);
    SWEEPD_ASSERT(was_open || !merged_.empty());
    if (!was_open) {
      insert(key, tick);
      began.push_back(open_.back().encounter);
    } else if (merged_.empty()) {
      ended.push_back(open_[position].encounter);
      erase(position);
    } else {
      store_pairs(open_[position]);
    }
  }
}

std::span<const EncounterChange> EncounterTable::next_group(std::span<const EncounterChange> changes) const {
  std::size_t count = 1;
  while (count < changes.size() && changes[count].key == changes[0].key) ++count;
  return changes.first(count);
}

/// Leaves in merged_ the pairs of `before` with those of `group` taken away and added.
void EncounterTable::merge_pairs(const Open* before, std::span<const EncounterChange> group) {
  merged_.clear();
  if (before != nullptr) {
    merged_.push_back(before->encounter.parts);
    merged_.insert(merged_.end(), before->other_pairs.begin(), before->other_pairs.end());
  }
  // Of one pair, the end sorts before the beginning.
  for (const EncounterChange& change : group) {
    const auto place = std::lower_bound(merged_.begin(), merged_.end(), change.parts);
    const bool found = place != merged_.end() && *place == change.parts;
    SWEEPD_ASSERT(found != change.began);
    if (change.began) {
      merged_.insert(place, change.parts);
    } else {
      merged_.erase(place);
    }
  }
}

void EncounterTable::store_pairs(Open& open) {
  SWEEPD_ASSERT(!merged_.empty());
  open.encounter.parts = merged_.front();
  open.other_pairs.assign(merged_.begin() + 1, merged_.end());
}

void EncounterTable::insert(const EncounterKey& key, Tick tick) {
  positions_.insert(key, static_cast<std::uint32_t>(open_.size()));
  open_.push_back({{key, {}, tick}, {}});
  store_pairs(open_.back());
}

void EncounterTable::erase(std::uint32_t position) {
  positions_.erase(open_[position].encounter.key);
  if (position + 1 != open_.size()) {
    open_[position] = std::move(open_.back());
    positions_.reposition(open_[position].encounter.key, position);
  }
  open_.pop_back();
}

std::vector<Encounter> EncounterTable::sorted() const {
  std::vector<Encounter> encounters;
  encounters.reserve(open_.size());
  for (const Open& open : open_) encounters.push_back(open.encounter);
  std::sort(encounters.begin(), encounters.end(),
            [](const Encounter& a, const Encounter& b) { return a.key < b.key; });
  return encounters;
}

void EncounterTable::clear() { *this = EncounterTable{}; }

void EncounterTable::validate() const {
  SWEEPD_ASSERT(positions_.size() == open_.size());
  for (std::size_t i = 0; i < open_.size(); ++i) {
    const Open& open = open_[i];
    SWEEPD_ASSERT(positions_.find(open.encounter.key) == i);
    SWEEPD_ASSERT(open.encounter.key.object_a < open.encounter.key.object_b);
    SWEEPD_ASSERT(std::is_sorted(open.other_pairs.begin(), open.other_pairs.end()));
    SWEEPD_ASSERT(open.other_pairs.empty() || open.encounter.parts < open.other_pairs.front());
  }
}

}  // namespace sweepd::collision
