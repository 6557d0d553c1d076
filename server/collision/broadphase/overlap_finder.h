// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "collision/broadphase/cell_order.h"
#include "collision/broadphase/packed_box.h"
#include "collision/broadphase/slot_pairs.h"
#include "collision/broadphase/sweep_tuning.h"

namespace sweepd::collision {

/// Finds all overlaps of boxes, from nothing but the boxes: by comparing each with each where that is cheap, else
/// by sorting the larger side into an order of cells and sweeping it.
class OverlapFinder {
 public:
  using Boxes = std::span<const PackedBox>;

  explicit OverlapFinder(const SweepTuning& tuning) : tuning_(tuning), order_(tuning) {}

  /// Replaces `found` by every (index in a, index in b) that overlap.
  void find(Boxes a, Boxes b, SlotPairs& found);
  /// Replaces `found` by every two of `boxes` that overlap, each once.
  void find_self(Boxes boxes, SlotPairs& found);

 private:
  bool is_scan_cheaper(std::size_t comparisons, std::size_t boxes) const;
  void find_sorted(Boxes few, Boxes many, SlotPairs& found);
  void find_large(Boxes few, Boxes many, SlotPairs& found);
  void find_large_self(Boxes boxes, SlotPairs& found);

  SweepTuning tuning_;
  CellOrder order_;
  std::vector<PackedBox> large_;
  SlotPairs large_found_;
};

}  // namespace sweepd::collision
