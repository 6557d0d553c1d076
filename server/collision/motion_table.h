// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "collision/object.h"
#include "collision/part_pool.h"

namespace sweepd::collision {

/// The motions of objects, by slot, and a bit for each slot that has one: so that a tick passes over what
/// moves in the order in which it lies in memory. Accelerations lie apart, as most motions have none.
class MotionTable {
 public:
  bool has(ObjectSlot slot) const {
    return slot / 64 < moving_.size() && (moving_[slot / 64] & bit(slot)) != 0;
  }

  /// Still where it has none.
  Motion at(ObjectSlot slot) const {
    if (!has(slot)) return {};
    return {velocities_[slot], slot < accelerations_.size() ? accelerations_[slot] : Point{}};
  }

  /// Replaces the one it has, if any; one that is still is none.
  void set(ObjectSlot slot, const Motion& motion);
  void clear(ObjectSlot slot) {
    if (has(slot)) moving_[slot / 64] &= ~bit(slot);
  }

  /// Calls visit(slot) for all that have one, ascending. It may change or clear that slot's.
  template <typename Visit>
  void for_each(const Visit& visit) {
    for (std::size_t word = 0; word < moving_.size(); ++word) {
      for (std::uint64_t bits = moving_[word]; bits != 0; bits &= bits - 1) {
        visit(static_cast<ObjectSlot>(word * 64 + static_cast<std::size_t>(std::countr_zero(bits))));
      }
    }
  }

  /// Of one that has a motion, and keeps its acceleration.
  void set_velocity(ObjectSlot slot, Point velocity) { velocities_[slot] = velocity; }

 private:
  static std::uint64_t bit(ObjectSlot slot) { return std::uint64_t{1} << slot % 64; }

  std::vector<std::uint64_t> moving_;
  std::vector<Point> velocities_;     // As long as any slot needed.
  std::vector<Point> accelerations_;  // The same.
};

}  // namespace sweepd::collision
