// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "collision/broadphase/change_finder.h"
#include "collision/broadphase/overlap_finder.h"
#include "collision/broadphase/slot_pairs.h"

namespace sweepd::collision {

/// What sweep and prune needs only while an update runs.
struct SweepScratch {
  OverlapFinder finder;
  ChangeFinder change_finder;
  SlotPairs overlapping;
  SlotPairs began;
  SlotPairs ended;
  std::vector<PackedBox> regions;
  std::vector<RegionHit> hits;
  std::vector<std::uint32_t> others_a;
  std::vector<std::uint32_t> others_b;

  /// Of all that finds overlaps.
  void set_limit(std::size_t limit) {
    overlapping.set_limit(limit);
    change_finder.set_limit(limit);
  }
};

/// One for all worlds of a thread, so that a thousand worlds ticked in turn share it and find it in the
/// cache. Nothing in it is remembered from one update to the next but the memory.
SweepScratch& sweep_scratch();

}  // namespace sweepd::collision
