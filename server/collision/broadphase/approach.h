// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "collision/broadphase/approach_time.h"
#include "collision/broadphase/placed_broadphase.h"

namespace sweepd::collision {

/// Looks at nothing that cannot have met. The idea is that of the pair lists of André Michelle and Squize
/// (2008): a pair is left alone while its distance grows. Here it is left alone until the tick in which the
/// two first could overlap if both go on as they do, which for most pairs is never; and as soon as either
/// does anything else (turns, accelerates, jumps, changes its size), its pairs are looked at anew in that
/// very update. So nothing is missed, whatever moves how.
///
/// Not the pairs wait but the parts: each knows the first tick in which one of its pairs is due, so a world
/// of n parts takes memory for n. Invariant: of two parts that may meet and do not overlap, both are due no
/// later than they could. Best where most things fly straight; a part that turns every tick costs a look at
/// all its partners in each.
class Approach final : public PlacedBroadphase {
 public:
  explicit Approach(const CollisionMatrix& matrix, std::size_t pairs_max = kUnbounded)
      : matrix_(matrix), pairs_max_(pairs_max) {}

  bool update(const PartChanges& parts, OverlapChanges& overlaps) override;
  void validate() const override;

 private:
  struct Drifting {
    Box before;              ///< At the last update.
    Drift drift;             ///< What it is assumed to go on doing.
    std::uint64_t due = 0;   ///< The update in which its pairs are to be looked at.
    std::uint32_t rank = 0;  ///< Its place among its layer's members.
    bool is_known = false;   ///< It existed at the last update.
  };

  void add_and_remove(const PartChanges& parts);
  void follow(PartHandle part);
  void test_standing(OverlapChanges& overlaps);
  void look_at_due(OverlapChanges& overlaps);
  void look_at(PartHandle part, OverlapChanges& overlaps);
  bool did_overlap(PartHandle a, PartHandle b) const;
  void settle();
  void expect(PartHandle a, PartHandle b);
  bool is_due(PartHandle part) const { return drifting_[part].due <= now_; }

  CollisionMatrix matrix_;
  std::size_t pairs_max_;
  std::uint64_t now_ = 0;                                    // Updates so far.
  std::vector<Drifting> drifting_;                           // By handle.
  std::array<std::vector<PartHandle>, kLayersMax> members_;  // By layer.
  std::vector<OverlapPair> standing_;                        // In no order.
  std::vector<PartHandle> due_;
};

}  // namespace sweepd::collision
