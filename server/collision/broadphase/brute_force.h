// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "collision/broadphase/broadphase.h"
#include "collision/broadphase/placed_parts.h"
#include "collision/broadphase/standing_pairs.h"

namespace sweepd::collision {

/// Tests every pair anew in every update. The oracle for all others: so simple that it is seen to be right.
class BruteForce final : public Broadphase {
 public:
  explicit BruteForce(const CollisionMatrix& matrix, std::size_t pairs_max = kUnbounded)
      : matrix_(matrix), pairs_max_(pairs_max) {}

  bool update(const PartChanges& parts, OverlapChanges& overlaps) override;
  Box box_of(PartHandle part) const override { return parts_[part].box; }
  void find(const Box& region, std::uint64_t layers, std::vector<PartHandle>& found) const override {
    parts_.find(region, layers, found);
  }
  void find_each(std::span<const Box> regions, LayerId layer, std::vector<RegionHit>& found,
                 std::size_t found_max = kUnbounded) const override {
    parts_.find_each(regions, layer, found, found_max);
  }
  void validate() const override { pairs_.validate(); }

 private:
  CollisionMatrix matrix_;
  std::size_t pairs_max_;
  PlacedParts parts_;
  StandingPairs pairs_;
};

}  // namespace sweepd::collision
