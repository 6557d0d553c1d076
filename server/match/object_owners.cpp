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

std::uint32_t ObjectOwners::place_of(ObjectId object) const {
  const std::uint32_t place = places_.find(object);
  SWEEPD_ASSERT(place != collision::IdIndex::kNone);
  return place;
}

void ObjectOwners::add(ObjectId object, ParticipantNumber owner, std::size_t parts) {
  SWEEPD_ASSERT(object != 0);
  if (free_places_.empty()) {
    free_places_.push_back(static_cast<std::uint32_t>(owners_.size()));
    owners_.emplace_back();
  }
  const std::uint32_t place = free_places_.back();
  places_.insert(object, place);
  free_places_.pop_back();
  owners_[place] = {object, owner, static_cast<std::uint32_t>(parts)};
  count(owners_[place]);
}

void ObjectOwners::set_parts(ObjectId object, std::size_t parts) {
  Owned& owned = owners_[place_of(object)];
  uncount(owned);
  owned.parts = static_cast<std::uint32_t>(parts);
  count(owned);
}

void ObjectOwners::remove(ObjectId object) {
  const std::uint32_t place = place_of(object);
  Owned& owned = owners_[place];
  uncount(owned);
  removed_.emplace(object, owned.owner);
  removed_ids_.push_back(object);
  owned.object = 0;
  free_places_.push_back(place);
  places_.erase(object);
  if (!budgets_.empty()) budgets_.erase(object);
}

void ObjectOwners::transfer(ObjectId object, ParticipantNumber owner) {
  Owned& owned = owners_[place_of(object)];
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
  return std::ranges::any_of(owners_, [&](const Owned& owned) {
    return owned.object != 0 && owned.object >= first && owned.object <= last;
  });
}

void ObjectOwners::finish_tick() {
  removed_.clear();
  removed_ids_.clear();
}

void ObjectOwners::clear() {
  owners_.clear();
  free_places_.clear();
  places_.clear();
  finish_tick();
  counts_.fill(0);
  part_counts_.fill(0);
  budgets_.clear();
}

/// Names every member: a new one does not compile until it is saved, or found to need no saving.
void ObjectOwners::save(base::ByteWriter& writer, const collision::World& world) const {
  const auto& [owners, free_places, places, last_page, budgets, removed_ids, removed, counts, part_counts] =
      *this;
  SWEEPD_ASSERT(places.size() == world.object_count() && removed_ids.empty() && removed.empty());
  writer.number(budgets.size());
  for (const ObjectId object : world.ids()) {
    const SpeedBudget* budget = find_budget(object);
    if (budget == nullptr) continue;
    writer.number(object);
    budget->save(writer, world.tick() + 1);
  }
}

void ObjectOwners::restore(base::ByteReader& reader, const collision::World& world) {
  for (const ObjectId object : world.ids()) {
    const collision::ObjectView view = *world.find(object);
    if (!reader.require(view.owner < kParticipantsMax, "are objects of nobody")) return;
    add(object, view.owner, view.parts.size());
  }
  for (std::size_t i = reader.count(4); i > 0 && reader.ok(); --i) {
    const ObjectId object = reader.number32();
    const SpeedBudget budget = SpeedBudget::read(reader, world.tick() + 1);
    const bool is_new = reader.require(owner_of(object).has_value(), "is a budget without object") &&
                        budgets_.emplace(object, budget).second;
    reader.require(is_new, "is a second budget of an object");
  }
}

}  // namespace sweepd::match
