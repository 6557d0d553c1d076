// SPDX-License-Identifier: MIT
#include "collision/contact_manager.h"

#include <algorithm>

#include "base/assert.h"
#include "base/growth.h"
#include "collision/change_sort.h"
#include "collision/contact.h"
#include "collision/exit_reasons.h"

namespace sweepd::collision {

namespace {

/// What is needed only while a tick is judged: one for all worlds of a thread, so that it is in the cache.
/// Nothing in it is remembered from one tick to the next but the memory.
struct Scratch {
  PartChanges parts;
  OverlapChanges overlaps;
  std::vector<EncounterChange> changes;
  std::vector<EncounterChange> spare_changes;
  std::vector<Encounter> ended;
  std::vector<Encounter> ended_by_outcome;
  std::vector<Encounter> began;
  std::vector<Sweep> sweeps;
  std::vector<Enter> enters;
  std::vector<Event> late_exits;
};

Scratch& scratch() {
  thread_local Scratch scratch;
  return scratch;
}

/// Its encounters have ended with the tick before.
bool is_ghost(PartHandle part, const ObjectTable& objects) {
  return objects[objects.parts().owner(part).object].is_ghost;
}

void collect(const std::vector<OverlapPair>& pairs, bool began, const ObjectTable& objects,
             std::vector<EncounterChange>& changes) {
  for (const auto& [first, second] : pairs) {
    if (is_ghost(first, objects) || is_ghost(second, objects)) continue;
    const Contact contact = contact_of(first, second, objects);
    changes.push_back({contact.key, contact.parts, began});
  }
}

bool has_never_happened(const EncounterKey& key, std::span<const Enter> enters) {
  const auto found = std::ranges::lower_bound(enters, key, {}, &Enter::key);
  return found != enters.end() && found->key == key && found->never_happened;
}

/// The begun encounters that go on, and the sweeps that may be all there was of one: both sorted.
void merge(std::span<const Encounter> began, std::span<const Sweep> sweeps, std::vector<Enter>& enters) {
  enters.clear();
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < began.size() || j < sweeps.size()) {
    const bool has_encounter = i < began.size() && (j == sweeps.size() || began[i].key <= sweeps[j].key);
    const bool has_sweep = j < sweeps.size() && (i == began.size() || sweeps[j].key <= began[i].key);
    enters.push_back({.key = has_encounter ? began[i].key : sweeps[j].key,
                      .parts = has_encounter ? began[i].parts : sweeps[j].parts,
                      .time_of_impact = has_sweep ? sweeps[j].time_of_impact : kEndOfTick,
                      .goes_on = has_encounter});
    i += has_encounter ? 1 : 0;
    j += has_sweep ? 1 : 0;
  }
}

}  // namespace

ContactManager::ContactManager(const BroadphaseConfig& broadphase, std::span<const BitMask> masks,
                               const TickBudget& budget, const SweepRules& sweep_rules)
    : masks_(masks),
      budget_(budget),
      broadphase_(make_broadphase(broadphase)),
      sweeps_(broadphase.matrix, sweep_rules) {}

/// The order matters: sweeps ask the broadphase where everything was and then where it is, and the encounters
/// what was open before. Nothing is told of a tick that exceeds its budget, so each step stops where it does.
std::span<Enter> ContactManager::find(ObjectTable& objects, Tick tick) {
  auto& [parts, overlaps, changes, spare_changes, ended, ended_by_outcome, began, sweeps, enters,
         late_exits] = scratch();
  sweeps_.note_paths(objects, *broadphase_);
  tell_broadphase(objects);
  const auto exceeds = [this](Excess excess) {
    excess_ = excess;
    return std::span<Enter>();
  };
  if (!broadphase_->update(parts, overlaps)) return exceeds(Excess::kOverlappingPairs);
  TestMeter meter(budget_.tests_max);
  sweeps_.find(objects, *broadphase_, encounters_, masks_, meter, sweeps);
  exact_pairs_.refine(objects, masks_, meter, overlaps);
  if (meter.is_exceeded()) return exceeds(Excess::kTests);

  changes.clear();
  collect(overlaps.ended, false, objects, changes);
  collect(overlaps.began, true, objects, changes);
  sort_changes(changes, spare_changes);

  ended.clear();
  began.clear();
  // Of few changes come few events. Of many they are counted before the encounters take them: what exceeds
  // the budget by far would cost the most.
  if (changes.size() + sweeps.size() > budget_.events_max) {
    encounters_.foresee(changes, tick, ended, began);
    merge(began, sweeps, enters);
    if (ended.size() + enters.size() > budget_.events_max) return exceeds(Excess::kEvents);
    ended.clear();
    began.clear();
  }
  encounters_.apply(changes, tick, ended, began);
  merge(began, sweeps, enters);
  return enters;
}

/// No ways: what has been met on them was told.
void ContactManager::restore(ObjectTable& objects, base::ByteReader& reader, Tick tick) {
  auto& [parts, overlaps, changes, spare_changes, ended, ended_by_outcome, began, sweeps, enters,
         late_exits] = scratch();
  tell_broadphase(objects);
  const bool is_within_budget = broadphase_->update(parts, overlaps);
  if (!reader.require(is_within_budget, "are objects of which too many parts overlap")) return;
  TestMeter unlimited(TickBudget::kNoLimit);
  exact_pairs_.refine(objects, masks_, unlimited, overlaps);
  changes.clear();
  collect(overlaps.began, true, objects, changes);
  sort_changes(changes, spare_changes);
  ended.clear();
  began.clear();
  encounters_.apply(changes, tick, ended, began);
  if (!reader.require(reader.count() == began.size(), "are not the encounters of these objects")) return;
  for (const Encounter& encounter : began) {
    const Tick ticks = reader.number(tick);
    if (reader.require(ticks < tick, "is an encounter from before the first tick")) {
      encounters_.set_since(encounter.key, tick - ticks);
    }
  }
}

std::span<Event> ContactManager::report(ObjectTable& objects, const Outcomes& outcomes, Tick tick) {
  events_.clear();
  base::make_room(events_, scratch().ended.size() + scratch().enters.size());
  objects.sort_left_layers();
  append_exits(scratch().ended, objects, tick);
  append_enters(scratch().enters, tick);
  append_late_exits(outcomes, tick);
  return events_;
}

std::span<const Encounter> ContactManager::ended() const { return scratch().ended; }
std::span<const Encounter> ContactManager::ended_by_outcome() const { return scratch().ended_by_outcome; }

void ContactManager::append_exits(std::span<const Encounter> ended, const ObjectTable& objects, Tick tick) {
  for (const Encounter& encounter : ended) {
    const Object& a = *objects.find_any(encounter.key.object_a);
    const Object& b = *objects.find_any(encounter.key.object_b);
    append({.tick = tick,
            .kind = EventKind::kExit,
            .reason = exit_reason(encounter.key, a, b, objects),
            .key = encounter.key,
            .parts = encounter.parts});
  }
}

void ContactManager::append_enters(std::span<const Enter> enters, Tick tick) {
  for (const Enter& enter : enters) {
    if (enter.never_happened) continue;
    append({.tick = tick,
            .kind = EventKind::kEnter,
            .key = enter.key,
            .parts = enter.parts,
            .time_of_impact = enter.time_of_impact});
  }
}

/// What did not last to the tick's end, and what the outcome ends. Of the latter that which never happened is
/// not told: it only has to go.
void ContactManager::append_late_exits(const Outcomes& outcomes, Tick tick) {
  const std::vector<Enter>& enters = scratch().enters;
  std::vector<Encounter>& ended_by_outcome = scratch().ended_by_outcome;
  std::vector<Event>& exits = scratch().late_exits;
  exits.clear();
  ended_by_outcome.clear();
  const auto add = [&](const auto& contact, ExitReason reason, TimeOfImpact time) {
    exits.push_back({.tick = tick,
                     .kind = EventKind::kExit,
                     .reason = reason,
                     .key = contact.key,
                     .parts = contact.parts,
                     .time_of_impact = time});
  };
  for (const Enter& enter : enters) {
    if (enter.goes_on || enter.never_happened) continue;
    const ExitReason reason = outcomes.reason_for(enter.key);
    add(enter, reason == ExitReason::kNone ? ExitReason::kSwept : reason, enter.time_of_impact);
  }
  if (!outcomes.removed().empty()) {
    encounters_.remove_all_of(outcomes.removed(), ended_by_outcome);
    for (const Encounter& encounter : ended_by_outcome) {
      if (!has_never_happened(encounter.key, enters))
        add(encounter, outcomes.reason_for(encounter.key), kEndOfTick);
    }
    std::ranges::sort(exits, {}, &Event::key);
  }
  for (const Event& exit : exits) append(exit);
}

void ContactManager::tell_broadphase(ObjectTable& objects) {
  scratch().parts.clear();
  for (const WithdrawnParts& parts : objects.withdrawn()) withdraw(parts.first, parts.count);
  for (const ObjectSlot slot : objects.changed()) tell_broadphase(objects[slot], objects);
}

void ContactManager::tell_broadphase(Object& object, const ObjectTable& objects) {
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
  object.was_judged = meets;
}

void ContactManager::add(const Object& object, std::span<const Part> parts, ObjectSlot slot) {
  PartHandle handle = object.first_part;
  for (const Part& part : parts) {
    scratch().parts.added.push_back({handle++, slot, part.layer, placed(part.box, object.position)});
  }
}

void ContactManager::move(const Object& object, std::span<const Part> parts) {
  PartHandle handle = object.first_part;
  for (const Part& part : parts)
    scratch().parts.moved.push_back({handle++, placed(part.box, object.position)});
}

void ContactManager::withdraw(PartHandle first, std::uint8_t count) {
  for (std::uint8_t i = 0; i < count; ++i) scratch().parts.removed.push_back(first + i);
}

void ContactManager::append(Event event) {
  event.sequence_number = ++sequence_number_;
  base::append_tightly(events_, event);
}

std::span<Event> ContactManager::end(Tick tick) {
  const std::vector<Encounter> open = encounters_.sorted();
  events_.clear();
  base::make_room(events_, open.size());
  for (const Encounter& encounter : open) {
    append({.tick = tick,
            .kind = EventKind::kExit,
            .reason = ExitReason::kMatchEnded,
            .key = encounter.key,
            .parts = encounter.parts});
  }
  encounters_.clear();
  exact_pairs_.clear();
  // Questions still come, and find nothing.
  broadphase_ = make_broadphase({.kind = BroadphaseKind::kBruteForce, .matrix = {}});
  return events_;
}

void ContactManager::validate() const {
  broadphase_->validate();
  encounters_.validate();
  exact_pairs_.validate();
}

}  // namespace sweepd::collision
