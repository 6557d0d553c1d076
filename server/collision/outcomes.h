// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "collision/contact_rules.h"
#include "collision/encounter_table.h"
#include "collision/event.h"
#include "collision/object_table.h"
#include "collision/side_table.h"

namespace sweepd::collision {

/// An encounter that began in this tick.
struct Enter {
  EncounterKey key;
  PartPair parts;
  TimeOfImpact time_of_impact = kEndOfTick;
  bool goes_on = false;         ///< After the tick; otherwise it was met on the way only.
  bool never_happened = false;  ///< One of the two had been used up by then.
};

/// An object that lost its last hit point.
struct Destruction {
  ObjectId object = 0;
  ObjectId by = 0;       ///< Whose damage it was.
  LayerId layer = 0;     ///< Of the contact in which that happened: the object's,
  LayerId by_layer = 0;  ///< and the other's.
  friend auto operator<=>(const Destruction&, const Destruction&) = default;
};

/// What contact does to objects: it uses up those that are single-use, and takes hit points.
///
/// The order of a tick: first what contacts that go on do again (ContactRule::damage_interval_ticks), by key;
/// then strikes, in the order in which they came; then the contacts that begin, by (time of impact, key). Of
/// a single-use object the first that is no sensor uses it up: later ones never happened, and sensors only if
/// they began no later. An object without hit points left still does what it does, for the rest of the tick.
class Outcomes {
 public:
  explicit Outcomes(const std::vector<ContactRule>& rules) : rules_(rules) {}

  /// In this tick the two do to each other what a contact that begins would do, though none is seen. Ignored
  /// where one of the two does not exist, or has been used up.
  void strike(const EncounterKey& key) { strikes_.push_back(key); }

  /// Whether any are waiting for the tick in progress.
  bool has_strikes() const { return !strikes_.empty(); }

  /// Decides the tick: marks `enters` (sorted by key), takes hit points.
  void resolve(ObjectTable& objects, const EncounterTable& encounters, std::span<Enter> enters, Tick tick);

  /// Forgets what the last tick brought.
  void clear();

  // Of the last tick that was resolved:

  /// Living objects that the tick's outcome removes, ascending.
  std::span<const ObjectId> removed() const { return removed_; }
  /// By object.
  std::span<const Destruction> destructions() const { return destructions_; }
  /// Have lost hit points; one may be there more than once.
  std::span<const ObjectId> damaged() const { return damaged_; }
  /// Those that were not ignored, in their order.
  std::span<const EncounterKey> strikes() const { return counted_strikes_; }
  /// Why contact between the two ended, if the outcome is the reason: kDestroyed, kConsumed or kNone.
  ExitReason reason_for(const EncounterKey& key) const;

 private:
  struct Tally;

  void repeat_damage(Tally& tally, const EncounterTable& encounters, Tick tick);
  void apply_strikes(Tally& tally);
  void apply_enters(Tally& tally, std::span<Enter> enters);
  void apply_sensors(std::span<Enter> enters) const;
  void collect_removed(const ObjectTable& objects);
  bool hit(Tally& tally, const EncounterKey& key, TimeOfImpact time);
  void damage(Tally& tally, const Destruction& blow);
  bool is_used_before(ObjectId id, TimeOfImpact time) const;

  ContactRules rules_;
  std::vector<EncounterKey> strikes_;
  std::vector<EncounterKey> counted_strikes_;
  SideTable<TimeOfImpact> used_;  ///< Single-use objects that were used up, and when.
  std::vector<ObjectId> used_ids_;
  std::vector<Destruction> destructions_;
  std::vector<ObjectId> removed_;
  std::vector<ObjectId> damaged_;
};

}  // namespace sweepd::collision
