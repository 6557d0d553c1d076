// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "base/byte_reader.h"
#include "collision/broadphase/broadphase.h"
#include "collision/encounter_table.h"
#include "collision/exact_pairs.h"
#include "collision/object_table.h"
#include "collision/outcomes.h"
#include "collision/sweeps.h"
#include "collision/tick_budget.h"

namespace sweepd::collision {

/// Judges a tick: hands what changed to the broadphase and turns overlaps of parts into encounters and their
/// events. Between ticks, the broadphase holds exactly the parts of all living, enabled objects, and those
/// that the last tick's outcome removed.
class ContactManager {
 public:
  /// `masks` must outlive it.
  ContactManager(const BroadphaseConfig& broadphase, std::span<const BitMask> masks, const TickBudget& budget,
                 const SweepRules& sweep_rules);

  /// All changes to `objects` for this tick have been made: finds what began and what ended. What began,
  /// sorted, is for the outcome to mark before `report`, and valid until then. Where the tick exceeds its
  /// budget it stops as soon as that is certain, and only `end` may follow.
  std::span<Enter> find(ObjectTable& objects, Tick tick);
  /// Of the last `find`.
  Excess excess() const { return excess_; }
  /// Then, in the same tick: its events, with what `outcomes` made of it. They stay valid until the next
  /// call.
  std::span<Event> report(ObjectTable& objects, const Outcomes& outcomes, Tick tick);
  /// Then: the encounters that were open before this tick and ended in it, for the time being and by the
  /// outcome; until this thread judges the next tick, of whatever world.
  std::span<const Encounter> ended() const;
  std::span<const Encounter> ended_by_outcome() const;
  /// Every open encounter EXITs (kMatchEnded); after a tick that exceeded its budget, those that were open
  /// before it.
  std::span<Event> end(Tick tick);

  /// Of a new one, of a world that is restored: `objects` are all touched, and lie as they lay at the end
  /// of `tick`. Reads since when each of their encounters was open, by key.
  void restore(ObjectTable& objects, base::ByteReader& reader, Tick tick);
  void continue_after(std::uint64_t sequence_number) { sequence_number_ = sequence_number; }

  std::uint64_t last_sequence_number() const { return sequence_number_; }
  const EncounterTable& encounters() const { return encounters_; }
  const Broadphase& broadphase() const { return *broadphase_; }
  void validate() const;

 private:
  void tell_broadphase(ObjectTable& objects);
  void tell_broadphase(Object& object, const ObjectTable& objects);
  void add(const Object& object, std::span<const Part> parts, ObjectSlot slot);
  void move(const Object& object, std::span<const Part> parts);
  void withdraw(PartHandle first, std::uint8_t count);
  void append_exits(std::span<const Encounter> ended, const ObjectTable& objects, Tick tick);
  void append_enters(std::span<const Enter> enters, Tick tick);
  void append_late_exits(const Outcomes& outcomes, Tick tick);
  void append(Event event);

  std::span<const BitMask> masks_;
  TickBudget budget_;
  Excess excess_ = Excess::kNone;
  std::unique_ptr<Broadphase> broadphase_;
  ExactPairs exact_pairs_;
  Sweeps sweeps_;
  EncounterTable encounters_;
  std::uint64_t sequence_number_ = 0;
  std::vector<Event> events_;
};

}  // namespace sweepd::collision
