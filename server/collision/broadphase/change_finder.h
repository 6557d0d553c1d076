// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "collision/broadphase/layer_boxes.h"
#include "collision/broadphase/packed_box.h"
#include "collision/broadphase/slot_pairs.h"

namespace sweepd::collision {

/// Finds the overlaps that changed where only some boxes did: each of these is compared, where it was and where it is,
/// with the others. What stands costs nothing.
class ChangeFinder {
 public:
  using Slots = std::span<const LayerBoxes::Slot>;

  /// Replaces `began` and `ended` by (slot in a, slot in b), each pair once. Boxes in neither list must not have
  /// moved relative to each other.
  void find(const LayerBoxes& a, Slots changed_a, const LayerBoxes& b, Slots changed_b, SlotPairs& began,
            SlotPairs& ended);
  void find_self(const LayerBoxes& boxes, Slots changed, SlotPairs& began, SlotPairs& ended);

 private:
  void compare(const LayerBoxes& from, Slots changed, const LayerBoxes& with);
  void mark(Slots slots, std::size_t slot_count);
  void unmark(Slots slots);

  std::vector<PackedBox> before_;  // Of the changed.
  std::vector<PackedBox> now_;
  std::vector<bool> is_marked_;  // By slot.
  SlotPairs found_;
};

}  // namespace sweepd::collision
