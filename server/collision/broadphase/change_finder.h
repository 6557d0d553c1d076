// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "collision/broadphase/layer_boxes.h"
#include "collision/broadphase/packed_box.h"
#include "collision/broadphase/slot_pairs.h"
#include "collision/broadphase/standing_order.h"

namespace sweepd::collision {

/// Finds the overlaps that changed where only some boxes did: each of these is compared, where it was and
/// where it is, with the others. What stands costs nothing.
class ChangeFinder {
 public:
  using Slots = std::span<const LayerBoxes::Slot>;

  struct Side {
    const LayerBoxes& boxes;
    Slots changed;            ///< Boxes that are not named must not have moved relative to each other.
    StandingOrder* standing;  ///< Finds the others that meet a box; null: each is compared with all.
  };

  /// Replaces `began` and `ended` by (slot in a, slot in b), each pair once. False: it met more than `limit`
  /// overlaps, counting some twice, and stopped.
  bool find(const Side& a, const Side& b, SlotPairs& began, SlotPairs& ended);
  bool find_self(const Side& side, SlotPairs& began, SlotPairs& ended);

  void set_limit(std::size_t limit);

 private:
  bool compare(const Side& from, const Side& with);
  void compare_sorted(const Side& with, std::size_t changed_count);
  void compare_strays(const Side& with, std::size_t changed_count);
  void mark(Slots slots, std::size_t slot_count);
  void unmark(Slots slots);

  std::vector<PackedBox> before_;  // Of the changed.
  std::vector<PackedBox> now_;
  std::vector<LayerBoxes::Slot> others_;  // Boxes without a cell to be found in.
  std::vector<PackedBox> others_before_;
  std::vector<PackedBox> others_now_;
  std::vector<bool> is_marked_;  // By slot.
  SlotPairs found_;              // (index of changed, slot): where an overlap began or ended.
  SlotPairs candidates_;
  std::vector<std::uint32_t> cells_;
};

}  // namespace sweepd::collision
