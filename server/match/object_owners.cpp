// SPDX-License-Identifier: MIT
#include "match/object_owners.h"

#include <algorithm>

#include "base/assert.h"

namespace sweepd::match {

void ObjectOwners::add(ObjectId object, ParticipantNumber owner) {
  const bool is_new = owners_.emplace(object, owner).second;
  SWEEPD_ASSERT(is_new);
  ++counts_[owner];
}

void ObjectOwners::remove(ObjectId object) {
  const auto entry = owners_.find(object);
  SWEEPD_ASSERT(entry != owners_.end());
  SWEEPD_ASSERT(counts_[entry->second] > 0);
  --counts_[entry->second];
  removed_.insert(*entry);
  removed_ids_.push_back(object);
  owners_.erase(entry);
}

void ObjectOwners::transfer(ObjectId object, ParticipantNumber owner) {
  const auto entry = owners_.find(object);
  SWEEPD_ASSERT(entry != owners_.end() && counts_[entry->second] > 0);
  --counts_[entry->second];
  ++counts_[owner];
  entry->second = owner;
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
}

std::optional<ParticipantNumber> ObjectOwners::owner_of(ObjectId object) const {
  const auto entry = owners_.find(object);
  if (entry == owners_.end()) return std::nullopt;
  return entry->second;
}

}  // namespace sweepd::match
