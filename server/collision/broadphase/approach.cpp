// SPDX-License-Identifier: MIT
#include "collision/broadphase/approach.h"

#include <algorithm>
#include <bit>

#include "base/assert.h"

namespace sweepd::collision {
namespace {

Drift drift_of(const Box& before, const Box& now) {
  return {std::int64_t{now.min_x} - before.min_x, std::int64_t{now.min_y} - before.min_y};
}

bool is_of_equal_size(const Box& before, const Box& now) {
  return drift_of(before, now) ==
         Drift{std::int64_t{now.max_x} - before.max_x, std::int64_t{now.max_y} - before.max_y};
}

OverlapPair ordered(PartHandle a, PartHandle b) { return {std::min(a, b), std::max(a, b)}; }

}  // namespace

/// Standing pairs come first: one that ends is then expected again like any other, by the drifts known by
/// now.
bool Approach::update(const PartChanges& parts, OverlapChanges& overlaps) {
  overlaps.began.clear();
  overlaps.ended.clear();
  ++now_;
  add_and_remove(parts);
  due_.clear();
  for (const std::vector<PartHandle>& members : members_) {
    for (const PartHandle part : members) follow(part);
  }
  test_standing(overlaps);
  look_at_due(overlaps);
  settle();
  return standing_.size() <= pairs_max_;
}

void Approach::add_and_remove(const PartChanges& parts) {
  for (const PartHandle part : parts.removed) {
    std::vector<PartHandle>& members = members_[parts_[part].layer];
    const std::uint32_t rank = drifting_[part].rank;
    members[rank] = members.back();
    drifting_[members[rank]].rank = rank;
    members.pop_back();
  }
  parts_.apply(parts);
  if (drifting_.size() < parts_.end()) drifting_.resize(parts_.end());
  for (const PartChanges::Added& added : parts.added) {
    std::vector<PartHandle>& members = members_[added.layer];
    drifting_[added.part] = {};
    drifting_[added.part].rank = static_cast<std::uint32_t>(members.size());
    members.push_back(added.part);
  }
}

/// Notes what the part did since the last update; due at once is what did not go on as it had.
void Approach::follow(PartHandle part) {
  Drifting& drifting = drifting_[part];
  const Box& box = parts_[part].box;
  const Drift drift = drift_of(drifting.before, box);
  const bool goes_on = drifting.is_known && drift == drifting.drift && is_of_equal_size(drifting.before, box);
  if (!goes_on) drifting.due = now_;
  drifting.drift = drifting.is_known ? drift : Drift{};
  if (is_due(part)) due_.push_back(part);
}

/// A pair that goes on overlapping is no news; one that no longer does may meet again.
void Approach::test_standing(OverlapChanges& overlaps) {
  std::erase_if(standing_, [&](const OverlapPair& pair) {
    const PlacedParts::Placed& a = parts_[pair.first];
    const PlacedParts::Placed& b = parts_[pair.second];
    const bool exist = a.is_present && b.is_present;
    if (exist && overlap(a.box, b.box)) return false;
    overlaps.ended.push_back(pair);
    if (exist) expect(pair.first, pair.second);
    return true;
  });
}

void Approach::look_at_due(OverlapChanges& overlaps) {
  // What is due is looked at in full, so what it expects is found out anew.
  for (const PartHandle part : due_) drifting_[part].due = kNever;
  std::sort(due_.begin(), due_.end());
  for (const PartHandle part : due_) {
    if (overlaps.began.size() > pairs_max_) return;
    look_at(part, overlaps);
  }
}

void Approach::look_at(PartHandle part, OverlapChanges& overlaps) {
  const PlacedParts::Placed& placed = parts_[part];
  std::uint64_t partners = matrix_.partners(placed.layer);
  for (; partners != 0; partners &= partners - 1) {
    for (const PartHandle other : members_[static_cast<std::size_t>(std::countr_zero(partners))]) {
      const PlacedParts::Placed& other_placed = parts_[other];
      if (other_placed.object == placed.object) continue;
      if (!overlap(placed.box, other_placed.box)) {
        expect(part, other);
        continue;
      }
      const bool is_seen_from_other = other < part && std::binary_search(due_.begin(), due_.end(), other);
      if (is_seen_from_other || did_overlap(part, other)) continue;
      overlaps.began.push_back(ordered(part, other));
      standing_.push_back(ordered(part, other));
    }
  }
}

bool Approach::did_overlap(PartHandle a, PartHandle b) const {
  const Drifting& drifting_a = drifting_[a];
  const Drifting& drifting_b = drifting_[b];
  return drifting_a.is_known && drifting_b.is_known && overlap(drifting_a.before, drifting_b.before);
}

void Approach::settle() {
  for (const std::vector<PartHandle>& members : members_) {
    for (const PartHandle part : members) {
      drifting_[part].before = parts_[part].box;
      drifting_[part].is_known = true;
    }
  }
}

void Approach::expect(PartHandle a, PartHandle b) {
  Drifting& drifting_a = drifting_[a];
  Drifting& drifting_b = drifting_[b];
  const std::uint64_t ticks =
      ticks_until_overlap(parts_[a].box, drifting_a.drift, parts_[b].box, drifting_b.drift);
  if (ticks == kNever) return;
  drifting_a.due = std::min(drifting_a.due, now_ + ticks);
  drifting_b.due = std::min(drifting_b.due, now_ + ticks);
}

void Approach::validate() const {
  for (const std::vector<PartHandle>& members : members_) {
    for (std::size_t rank = 0; rank < members.size(); ++rank) {
      SWEEPD_ASSERT(parts_[members[rank]].is_present && drifting_[members[rank]].rank == rank);
    }
  }
}

}  // namespace sweepd::collision
