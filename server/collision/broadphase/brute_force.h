// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "collision/broadphase/placed_broadphase.h"
#include "collision/broadphase/standing_pairs.h"

namespace sweepd::collision {

/// Tests every pair anew in every update. The oracle for all others: so simple that it is seen to be right.
class BruteForce final : public PlacedBroadphase {
 public:
  explicit BruteForce(const CollisionMatrix& matrix, std::size_t pairs_max = kUnbounded)
      : matrix_(matrix), pairs_max_(pairs_max) {}

  bool update(const PartChanges& parts, OverlapChanges& overlaps) override;
  void validate() const override { pairs_.validate(); }

 private:
  CollisionMatrix matrix_;
  std::size_t pairs_max_;
  StandingPairs pairs_;
};

}  // namespace sweepd::collision
