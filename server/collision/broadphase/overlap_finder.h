// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "collision/broadphase/box_lanes.h"
#include "collision/broadphase/cell_order.h"
#include "collision/broadphase/packed_box.h"
#include "collision/broadphase/slot_pairs.h"
#include "collision/broadphase/sweep_tuning.h"
#include "collision/broadphase/window_fit.h"

namespace sweepd::collision {

/// Finds all overlaps of boxes, from nothing but the boxes: by comparing each with each where that is cheap,
/// else by sorting the larger side into an order of cells and sweeping it.
class OverlapFinder {
 public:
  using Boxes = std::span<const PackedBox>;

  /// Replaces `found` by every (index in a, index in b) that overlap, or as many as its limit lets it have.
  /// `fit`: kept by the caller for these boxes.
  void find(Boxes a, Boxes b, const SweepTuning& tuning, WindowFit& fit, SlotPairs& found);
  /// Replaces `found` by every two of `boxes` that overlap, each once.
  void find_self(Boxes boxes, const SweepTuning& tuning, WindowFit& fit, SlotPairs& found);

 private:
  void sort(Boxes boxes, const CellWindow& window);
  void find_large(Boxes few, Boxes many, SlotPairs& found);
  void find_large_self(Boxes boxes, SlotPairs& found);

  CellOrder order_;
  BoxLanes lanes_;
  std::vector<std::uint32_t> cells_;
  std::vector<PackedBox> large_;
  SlotPairs large_found_;
};

}  // namespace sweepd::collision
