// SPDX-License-Identifier: MIT
#include "collision/encounter_table.h"

#include <algorithm>
#include <iterator>

#include "base/assert.h"
#include "base/growth.h"

namespace sweepd::collision {

/// Calls `visit` for each encounter of `changes`: with its key, its position or kNone, and the changes of
/// those that come after it. Its pairs as they are afterwards are in merged_.
template <typename Visit>
void EncounterTable::for_each_of(std::span<const EncounterChange> changes, const Visit& visit) {
  while (!changes.empty()) {
    const std::span<const EncounterChange> group = next_group(changes);
    changes = changes.subspan(group.size());
    const EncounterKey& key = group.front().key;
    const std::uint32_t position = positions_.find(key, key_at());
    const bool was_open = position != positions_.kNone;
    merge_pairs(was_open ? &open_[position] : nullptr, group);
    SWEEPD_ASSERT(was_open || !merged_.empty());
    visit(key, position, changes);
  }
}

void EncounterTable::apply(std::span<const EncounterChange> changes, Tick tick, std::vector<Encounter>& ended,
                           std::vector<Encounter>& began) {
  for_each_of(changes,
              [&](const EncounterKey& key, std::uint32_t position, std::span<const EncounterChange> rest) {
                if (position == positions_.kNone) {
                  if (open_.size() == open_.capacity()) base::make_room(open_, 1 + beginnings(rest));
                  insert(key, tick);
                  began.push_back(open_.back().encounter);
                } else if (merged_.empty()) {
                  ended.push_back(open_[position].encounter);
                  erase(position);
                } else {
                  store_pairs(open_[position]);
                }
              });
}

void EncounterTable::foresee(std::span<const EncounterChange> changes, Tick tick,
                             std::vector<Encounter>& ended, std::vector<Encounter>& began) {
  for_each_of(changes, [&](const EncounterKey& key, std::uint32_t position, auto) {
    if (position == positions_.kNone) {
      began.push_back({key, merged_.front(), tick});
    } else if (merged_.empty()) {
      ended.push_back(open_[position].encounter);
    }
  });
}

/// How many of them may open an encounter.
std::size_t EncounterTable::beginnings(std::span<const EncounterChange> changes) {
  std::size_t count = 0;
  while (!changes.empty()) {
    const std::span<const EncounterChange> group = next_group(changes);
    count += group.back().began ? 1 : 0;
    changes = changes.subspan(group.size());
  }
  return count;
}

std::span<const EncounterChange> EncounterTable::next_group(std::span<const EncounterChange> changes) {
  std::size_t count = 1;
  while (count < changes.size() && changes[count].key == changes[0].key) ++count;
  return changes.first(count);
}

/// Leaves in merged_ the pairs of `before` with those of `group` taken away and added.
void EncounterTable::merge_pairs(const Open* before, std::span<const EncounterChange> group) {
  merged_.clear();
  if (before != nullptr) {
    merged_.push_back(before->encounter.parts);
    for (std::uint32_t at = before->others; at != kNoOthers; at = others_[at].next) {
      merged_.push_back(others_[at].parts);
    }
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
  free_others(open);
  open.encounter.parts = merged_.front();
  for (std::size_t i = merged_.size(); i-- > 1;) {
    const std::uint32_t other = take_other();
    others_[other] = {merged_[i], open.others};
    open.others = other;
  }
}

std::uint32_t EncounterTable::take_other() {
  if (free_others_ == kNoOthers) {
    base::append_tightly(others_);
    return static_cast<std::uint32_t>(others_.size() - 1);
  }
  const std::uint32_t other = free_others_;
  free_others_ = others_[other].next;
  return other;
}

void EncounterTable::free_others(Open& open) {
  while (open.others != kNoOthers) {
    const std::uint32_t other = open.others;
    open.others = others_[other].next;
    others_[other].next = free_others_;
    free_others_ = other;
  }
}

void EncounterTable::insert(const EncounterKey& key, Tick tick) {
  base::append_tightly(open_).encounter = {key, {}, tick};
  positions_.insert(key, static_cast<std::uint32_t>(open_.size() - 1));
  store_pairs(open_.back());
}

void EncounterTable::erase(std::uint32_t position) {
  free_others(open_[position]);
  positions_.erase(open_[position].encounter.key, key_at());
  if (position + 1 != open_.size()) {
    positions_.reposition(open_.back().encounter.key, position, key_at());
    open_[position] = open_.back();
  }
  open_.pop_back();
}

void EncounterTable::remove_all_of(std::span<const ObjectId> ids, std::vector<Encounter>& removed) {
  const auto is_of = [&](const Encounter& encounter) {
    return std::ranges::binary_search(ids, encounter.key.object_a) ||
           std::ranges::binary_search(ids, encounter.key.object_b);
  };
  // Backwards: what erasing puts in the place of one has had its turn.
  for (std::size_t position = open_.size(); position-- > 0;) {
    if (!is_of(open_[position].encounter)) continue;
    removed.push_back(open_[position].encounter);
    erase(static_cast<std::uint32_t>(position));
  }
}

void EncounterTable::set_since(const EncounterKey& key, Tick tick) {
  const std::uint32_t position = positions_.find(key, key_at());
  SWEEPD_ASSERT(position != positions_.kNone);
  open_[position].encounter.since_tick = tick;
}

bool EncounterTable::is_open(const EncounterKey& key) const {
  return positions_.find(key, key_at()) != positions_.kNone;
}

std::vector<Encounter> EncounterTable::sorted() const {
  std::vector<Encounter> encounters;
  encounters.reserve(open_.size());
  for (const Open& open : open_) encounters.push_back(open.encounter);
  std::ranges::sort(encounters, {}, &Encounter::key);
  return encounters;
}

std::vector<Encounter> EncounterTable::sorted(const EncounterPage& page) const {
  std::vector<Encounter> encounters;
  for (const auto& [encounter, others] : open_) {
    if (page.has(encounter.key)) encounters.push_back(encounter);
  }
  page.cut(encounters);
  return encounters;
}

void EncounterPage::cut(std::vector<Encounter>& encounters) const {
  if (encounters.size() > count) {
    const auto end = encounters.begin() + static_cast<std::ptrdiff_t>(count);
    std::ranges::nth_element(encounters, end, {}, &Encounter::key);
    encounters.erase(end, encounters.end());
  }
  std::ranges::sort(encounters, {}, &Encounter::key);
}

void EncounterTable::clear() { *this = EncounterTable{}; }

void EncounterTable::validate() const {
  SWEEPD_ASSERT(positions_.size() == open_.size());
  for (std::size_t i = 0; i < open_.size(); ++i) {
    const Open& open = open_[i];
    SWEEPD_ASSERT(positions_.find(open.encounter.key, key_at()) == i);
    SWEEPD_ASSERT(open.encounter.key.object_a < open.encounter.key.object_b);
    PartPair lower = open.encounter.parts;
    for (std::uint32_t at = open.others; at != kNoOthers; at = others_[at].next) {
      SWEEPD_ASSERT(lower < others_[at].parts);
      lower = others_[at].parts;
    }
  }
}

}  // namespace sweepd::collision
