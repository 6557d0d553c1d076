// SPDX-License-Identifier: MIT
#include "collision/judge.h"

#include <algorithm>

#include "base/assert.h"
#include "collision/exit_reasons.h"

namespace sweepd::collision {

Judge::Judge(BroadphaseKind kind, const CollisionMatrix& matrix)
    : broadphase_(make_broadphase(kind, matrix)) {}

std::span<const Event> Judge::judge(ObjectTable& objects, Tick tick) {
  part_changes_.clear();
  for (const ObjectSlot slot : objects.changed()) tell_broadphase(objects[slot], slot);
  broadphase_->update(part_changes_, overlaps_);

  changes_.clear();
  collect(overlaps_.ended, false, objects);
  collect(overlaps_.began, true, objects);
  parts_.recycle();
  std::sort(changes_.begin(), changes_.end());

  ended_.clear();
  began_.clear();
  encounters_.apply(changes_, tick, ended_, began_);

  events_.clear();
  for (const Encounter& encounter : ended_) {
    const EncounterKey& key = encounter.key;
    const ExitReason reason =
        exit_reason(key, *objects.find_any(key.object_a), *objects.find_any(key.object_b));
    append(EventKind::kExit, reason, encounter, tick);
  }
  for (const Encounter& encounter : began_) append(EventKind::kEnter, ExitReason::kNone, encounter, tick);
  return events_;
}

void Judge::tell_broadphase(Object& object, ObjectSlot slot) {
  const bool filed = object.filed_parts != 0;
  const bool meets = object.alive && !object.disabled();
  if (filed && meets && !object.parts_changed) {
    refile_moved(object);
    return;
  }
  if (filed) withdraw(object);
  if (meets) file(object, slot);
}

void Judge::file(Object& object, ObjectSlot slot) {
  object.first_handle = parts_.assign(slot, object.parts);
  object.filed_parts = static_cast<std::uint8_t>(object.parts.size());
  for (std::uint8_t i = 0; i < object.filed_parts; ++i) {
    const Part& part = object.parts[i];
    part_changes_.added.push_back(
        {object.first_handle + i, slot, part.layer, *translate(part.box, object.position)});
  }
}

void Judge::refile_moved(const Object& object) {
  if (object.filed_parts == 1) {  // Most objects: bounds spare the way to the part.
    part_changes_.moved.push_back({object.first_handle, *translate(object.bounds, object.position)});
    return;
  }
  for (std::uint8_t i = 0; i < object.filed_parts; ++i) {
    part_changes_.moved.push_back(
        {object.first_handle + i, *translate(object.parts[i].box, object.position)});
  }
}

void Judge::withdraw(Object& object) {
  for (std::uint8_t i = 0; i < object.filed_parts; ++i) {
    part_changes_.removed.push_back(object.first_handle + i);
  }
  parts_.release(object.first_handle, object.filed_parts);
  object.first_handle = kNoHandle;
  object.filed_parts = 0;
}

void Judge::collect(const std::vector<OverlapPair>& pairs, bool began, const ObjectTable& objects) {
  for (const OverlapPair& pair : pairs) {
    const PartTable::Owner* a = &parts_[pair.first];
    const PartTable::Owner* b = &parts_[pair.second];
    if (objects[a->object].id > objects[b->object].id) std::swap(a, b);
    const EncounterKey key{objects[a->object].id, objects[b->object].id, a->layer, b->layer};
    SWEEPD_ASSERT(key.object_a < key.object_b);
    changes_.push_back({key, {a->part, b->part}, began});
  }
}

void Judge::append(EventKind kind, ExitReason reason, const Encounter& encounter, Tick tick) {
  events_.push_back({++sequence_number_, tick, kind, reason, encounter.key, encounter.parts});
}

std::span<const Event> Judge::end(Tick tick) {
  events_.clear();
  for (const Encounter& encounter : encounters_.sorted()) {
    append(EventKind::kExit, ExitReason::kMatchEnded, encounter, tick);
  }
  encounters_.clear();
  return events_;
}

void Judge::validate() const {
  broadphase_->validate();
  encounters_.validate();
}

}  // namespace sweepd::collision
