// SPDX-License-Identifier: MIT
#include "match/object_owners.h"

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
  owners_.erase(entry);
}

void ObjectOwners::clear() {
  owners_.clear();
  counts_.fill(0);
}

std::optional<ParticipantNumber> ObjectOwners::owner_of(ObjectId object) const {
  const auto entry = owners_.find(object);
  if (entry == owners_.end()) return std::nullopt;
  return entry->second;
}

}  // namespace sweepd::match
