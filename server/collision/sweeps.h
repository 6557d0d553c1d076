// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "collision/broadphase/broadphase.h"
#include "collision/encounter_table.h"
#include "collision/object_table.h"
#include "collision/shapes/shape.h"

namespace sweepd::collision {

/// An encounter that was not open before the tick, and two of its parts touched on their way: the lowest that
/// did.
struct Sweep {
  EncounterKey key;
  PartPair parts;
  TimeOfImpact time_of_impact = kEndOfTick;
  friend auto operator<=>(const Sweep&, const Sweep&) = default;
};

/// Finds what continuous objects meet on their way through a tick. Apart from the broadphase, which knows
/// only where parts are at its end: each continuous part's way is looked up there, in a region that is as
/// much larger as anything else may have moved, and whatever is in it is swept, both ways counted. So one way
/// across the playfield makes every search wide; it makes none miss. A way is from where an object was at the
/// end of the last tick. It has none if it was not judged then, or its parts have changed since: such an
/// object is met where it is, at the tick's end only. So nobody is hit by a spawn. While no continuous object
/// exists, nothing is kept and nothing done.
class Sweeps {
 public:
  explicit Sweeps(const CollisionMatrix& matrix) : partners_(matrix.all_partners()) {}

  /// Replaces `found` by this tick's sweeps, sorted by encounter, each encounter once. The broadphase and the
  /// table of encounters: `found` wants the former after, the latter before this tick's update.
  void find(const ObjectTable& objects, const Broadphase& broadphase,
            const EncounterTable& encounters, std::span<const BitMask> masks, std::vector<Sweep>& found);

  void clear() { is_active_ = false; }

  /// The tick is over: where objects are is where they were.
  void settle(const ObjectTable& objects);

 private:
  /// How far anything on a layer moved in this tick, either way.
  struct Reach {
    std::int64_t x = 0;
    std::int64_t y = 0;
  };
  struct Context;

  std::uint64_t partners_of(LayerId layer) const {
    return layer < partners_.size() ? partners_[layer] : 0;
  }
  void measure_reach(const ObjectTable& objects);
  void sweep_object(const Context& context, const Object& object, std::vector<Sweep>& found);
  void sweep_part(const Context& context, PartHandle part, LayerId with, std::vector<Sweep>& found);
  void sweep_pair(const Context& context, PartHandle part, PartHandle other, std::vector<Sweep>& found) const;
  Way way_of(const Object& object, const ObjectTable& objects) const;

  std::vector<std::uint64_t> partners_;  // By layer; none beyond the end.
  bool is_active_ = false;
  std::vector<Point> positions_;  // By slot, at the end of the last tick.
  std::vector<Reach> reach_;      // By layer.
  std::vector<PartHandle> near_;  // Kept for its memory only.
};

}  // namespace sweepd::collision
