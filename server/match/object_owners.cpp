// SPDX-License-Identifier: MIT
#include "match/object_owners.h"

#include "base/assert.h"

namespace sweepd::match {

void ObjectOwners::count(const collision::Holding& holding) {
  ++size_;
  part_count_ += holding.parts;
  ++counts_[holding.owner];
  part_counts_[holding.owner] += holding.parts;
}

void ObjectOwners::uncount(const collision::Holding& holding) {
  SWEEPD_ASSERT(counts_[holding.owner] > 0 && part_counts_[holding.owner] >= holding.parts);
  --size_;
  part_count_ -= holding.parts;
  --counts_[holding.owner];
  part_counts_[holding.owner] -= holding.parts;
}

void ObjectOwners::change_parts(ParticipantNumber owner, std::size_t before, std::size_t after) {
  SWEEPD_ASSERT(part_counts_[owner] >= before);
  part_counts_[owner] += static_cast<std::uint32_t>(after) - static_cast<std::uint32_t>(before);
  part_count_ += after - before;
}

void ObjectOwners::remove(const collision::RemovedObject& removed, Tick tick) {
  uncount(removed.holding);
  if (templates_.has_any()) templates_.remove(removed, tick);
  removed_.emplace(removed.id, removed.holding.owner);
  removed_ids_.push_back(removed.id);
  budgets_.erase(removed.holding.slot);
}

void ObjectOwners::remove_all() {
  for (const ObjectId object : world_.ids()) remove(object);
}

void ObjectOwners::transfer(ObjectId object, ParticipantNumber owner) {
  const collision::Holding holding = *world_.holding_of(object);
  uncount(holding);
  count({owner, holding.parts});
  if (templates_.has_any()) templates_.transfer(object, holding.owner, owner);
}

std::optional<ParticipantNumber> ObjectOwners::owner_in_tick(ObjectId object) const {
  if (const auto owner = owner_of(object)) return owner;
  const auto entry = removed_.find(object);
  if (entry == removed_.end()) return std::nullopt;
  return entry->second;
}

void ObjectOwners::finish_tick() {
  removed_.clear();
  removed_ids_.clear();
}

/// Names every member: a new one does not compile until it is saved, or found to need no saving.
void ObjectOwners::save(base::ByteWriter& writer) const {
  const auto& [world, templates, size, part_count, budgets, removed_ids, removed, counts, part_counts] =
      *this;
  SWEEPD_ASSERT(size == world.object_count() && removed_ids.empty() && removed.empty());
  writer.number(budgets.size());
  for (const ObjectId object : world.ids()) {
    const SpeedBudget* budget = find_budget(world.slot_of(object));
    if (budget == nullptr) continue;
    writer.number(object);
    budget->save(writer, world.tick() + 1);
  }
}

void ObjectOwners::restore(base::ByteReader& reader) {
  for (const ObjectId object : world_.ids()) {
    const collision::Holding holding = *world_.holding_of(object);
    if (!reader.require(holding.owner < kParticipantsMax, "have no possible owner")) return;
    add(holding);
  }
  for (std::size_t i = reader.count(4); i > 0 && reader.ok(); --i) {
    const ObjectId object = reader.number32();
    const SpeedBudget budget = SpeedBudget::read(reader, world_.tick() + 1);
    const auto holding = world_.holding_of(object);
    if (!reader.require(holding.has_value(), "is a budget without object")) return;
    if (!reader.require(find_budget(holding->slot) == nullptr, "is a second budget of an object")) return;
    set_budget(holding->slot, budget);
  }
}

}  // namespace sweepd::match
