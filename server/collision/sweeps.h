// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "collision/broadphase/broadphase.h"
#include "collision/encounter_table.h"
#include "collision/object_table.h"
#include "collision/shapes/shape.h"
#include "collision/sweep_rules.h"
#include "collision/tick_budget.h"

namespace sweepd::collision {

/// An encounter that was not open before the tick, and two of its parts touched on their way: the lowest that
/// did.
struct Sweep {
  EncounterKey key;
  PartPair parts;
  TimeOfImpact time_of_impact = kEndOfTick;
  friend auto operator<=>(const Sweep&, const Sweep&) = default;
};

/// Finds what continuous objects, and those that are swept in this tick alone, meet on their way through a
/// tick, all ways counted.
/// - A way leads from where the object was when it was last judged, in the tick before, to where it is; if it
///   leaves in this tick, to where it left. The shape is the one that it has now.
/// - An object that was not judged in the tick before (spawned, enabled) has the way that its motion took it
/// in
///   this tick; a continuous one that is spawned, the way from where it was spawned.
/// - An object that was teleported has the way from where it was teleported to. One that is enabled: see
///   SweepRules.
/// - Parts for which there is no room where a way would begin, at the ends of the range of coordinates, have
///   none: they are only where they are.
///
/// Apart from the broadphase, which knows where parts are but no ways: what is near a continuous part's way
/// is looked up there, in a region that is as much larger as anything else may have moved. So one way across
/// the playfield makes every search wide; it makes none miss. While there is none of them, nothing is
/// done, and nothing is kept from tick to tick in any case.
class Sweeps {
 public:
  Sweeps(const CollisionMatrix& matrix, const SweepRules& rules)
      : partners_(matrix.all_partners()), rules_(rules) {}

  /// First, while `broadphase` knows where everything was.
  void note_paths(const ObjectTable& objects, const Broadphase& broadphase) const;

  /// Then, when `broadphase` knows where everything is, and `encounters` still what was open before: replaces
  /// `found` by this tick's sweeps, sorted by encounter, each encounter once. Stops once the meter is
  /// exceeded: what it takes is the same with every broadphase and in all slots of objects.
  void find(const ObjectTable& objects, const Broadphase& broadphase, const EncounterTable& encounters,
            std::span<const BitMask> masks, TestMeter& meter, std::vector<Sweep>& found) const;

 private:
  struct Context;

  void gather_probes(const ObjectTable& objects, TestMeter& meter) const;
  void gather_probes(const ObjectTable& objects, ObjectSlot slot, TestMeter& meter) const;

  std::vector<std::uint64_t> partners_;  // By layer; none beyond the end.
  SweepRules rules_;
};

}  // namespace sweepd::collision
