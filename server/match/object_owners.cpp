// SPDX-License-Identifier: MIT
#include "match/object_owners.h"

#include <algorithm>

#include "base/assert.h"

namespace sweepd::match {

void ObjectOwners::count(const Owned& owned) {
  ++counts_[owned.owner];
  part_counts_[owned.owner] += owned.parts;
}

void ObjectOwners::uncount(const Owned& owned) {
  SWEEPD_ASSERT(counts_[owned.owner] > 0 && part_counts_[owned.owner] >= owned.parts);
  --counts_[owned.owner];
  part_counts_[owned.owner] -= owned.parts;
}

void ObjectOwners::add(ObjectId object, ParticipantNumber owner, std::size_t parts) {
  const Owned owned{owner, static_cast<std::uint32_t>(parts)};
  const bool is_new = owners_.emplace(object, owned).second;
  SWEEPD_ASSERT(is_new);
  count(owned);
}

void ObjectOwners::set_parts(ObjectId object, std::size_t parts) {
  Owned& owned = owners_.at(object);
  uncount(owned);
  owned.parts = static_cast<std::uint32_t>(parts);
  count(owned);
}

void ObjectOwners::remove(ObjectId object) {
  const auto entry = owners_.find(object);
  SWEEPD_ASSERT(entry != owners_.end());
  uncount(entry->second);
  removed_.emplace(object, entry->second.owner);
  removed_ids_.push_back(object);
  owners_.erase(entry);
  if (!budgets_.empty()) budgets_.erase(object);
}

void ObjectOwners::transfer(ObjectId object, ParticipantNumber owner) {
  Owned& owned = owners_.at(object);
  uncount(owned);
  owned.owner = owner;
  count(owned);
}

const SpeedBudget* ObjectOwners::find_budget(ObjectId object) const {
  const auto entry = budgets_.find(object);
  return entry == budgets_.end() ? nullptr : &entry->second;
}

std::optional<ParticipantNumber> ObjectOwners::owner_in_tick(ObjectId object) const {
  if (const auto owner = owner_of(object)) return owner;
  const auto entry = removed_.find(object);
  if (entry == removed_.end()) return std::nullopt;
  return entry->second;
}

bool ObjectOwners::has_any_in(ObjectId first, ObjectId last) const {
  return std::ranges::any_of(owners_,
                             [&](const auto& entry) { return entry.first >= first && entry.first <= last; });
}

void ObjectOwners::finish_tick() {
  removed_.clear();
  removed_ids_.clear();
}

void ObjectOwners::clear() {
  owners_.clear();
  finish_tick();
  counts_.fill(0);
  part_counts_.fill(0);
  budgets_.clear();
}

std::optional<ParticipantNumber> ObjectOwners::owner_of(ObjectId object) const {
  const auto entry = owners_.find(object);
  if (entry == owners_.end()) return std::nullopt;
  return entry->second.owner;
}

}  // namespace sweepd::match
