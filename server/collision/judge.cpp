// SPDX-License-Identifier: MIT
#include "collision/judge.h"

#include <algorithm>

#include "base/assert.h"
#include "collision/exit_reasons.h"

namespace sweepd::collision {

namespace {

/// What is needed only while a tick is judged: one for all worlds of a thread, so that it is in the cache.
/// Nothing in it is remembered from one tick to the next but the memory.
struct Scratch {
  PartChanges parts;
  OverlapChanges overlaps;
  std::vector<EncounterChange> changes;
  std::vector<Encounter> ended;
  std::vector<Encounter> began;
};

Scratch& scratch() {
  thread_local Scratch scratch;
  return scratch;
}

void collect(const std::vector<OverlapPair>& pairs, bool began, const ObjectTable& objects,
             std::vector<EncounterChange>& changes) {
  const PartPool& parts = objects.parts();
  for (const auto& [first, second] : pairs) {
    PartHandle a = first;
    PartHandle b = second;
    if (objects[parts.owner(a).object].id > objects[parts.owner(b).object].id) std::swap(a, b);
    const PartOwner owner_a = parts.owner(a);
    const PartOwner owner_b = parts.owner(b);
    const EncounterKey key{objects[owner_a.object].id, objects[owner_b.object].id, parts[a].layer,
                           parts[b].layer};
    SWEEPD_ASSERT(key.object_a < key.object_b);
    changes.push_back(
        {key, {static_cast<std::uint8_t>(owner_a.part), static_cast<std::uint8_t>(owner_b.part)}, began});
  }
}

}  // namespace

Judge::Judge(BroadphaseKind kind, const CollisionMatrix& matrix)
    : broadphase_(make_broadphase(kind, matrix)) {}

std::span<const Event> Judge::judge(ObjectTable& objects, Tick tick) {
  auto& [parts, overlaps, changes, ended, began] = scratch();
  tell_broadphase(objects);
  broadphase_->update(parts, overlaps);

  changes.clear();
  collect(overlaps.ended, false, objects, changes);
  collect(overlaps.began, true, objects, changes);
  std::sort(changes.begin(), changes.end());

  ended.clear();
  began.clear();
  encounters_.apply(changes, tick, ended, began);

  events_.clear();
  for (const Encounter& encounter : ended) {
    const Object& a = *objects.find_any(encounter.key.object_a);
    const Object& b = *objects.find_any(encounter.key.object_b);
    append(EventKind::kExit, exit_reason(encounter.key, a, b, objects), encounter, tick);
  }
  for (const Encounter& encounter : began) append(EventKind::kEnter, ExitReason::kNone, encounter, tick);
  return events_;
}

void Judge::tell_broadphase(ObjectTable& objects) {
  scratch().parts.clear();
  for (const WithdrawnParts& parts : objects.withdrawn()) withdraw(parts.first, parts.count);
  for (const ObjectSlot slot : objects.changed()) tell_broadphase(objects[slot], objects);
}

void Judge::tell_broadphase(Object& object, const ObjectTable& objects) {
  const bool meets = object.is_alive && !object.is_disabled;
  const std::span<const Part> parts = objects.parts_of(object);
  if (meets && object.is_filed) {
    move(object, parts);
  } else if (meets) {
    add(object, parts, objects.slot_of(object));
  } else if (object.is_filed) {
    withdraw(object.first_part, object.part_count);
  }
  object.is_filed = meets;
}

void Judge::add(const Object& object, std::span<const Part> parts, ObjectSlot slot) {
  PartHandle handle = object.first_part;
  for (const Part& part : parts) {
    scratch().parts.added.push_back({handle++, slot, part.layer, placed(part.box, object.position)});
  }
}

void Judge::move(const Object& object, std::span<const Part> parts) {
  PartHandle handle = object.first_part;
  for (const Part& part : parts)
    scratch().parts.moved.push_back({handle++, placed(part.box, object.position)});
}

void Judge::withdraw(PartHandle first, std::uint8_t count) {
  for (std::uint8_t i = 0; i < count; ++i) scratch().parts.removed.push_back(first + i);
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
