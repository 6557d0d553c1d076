// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "collision/broadphase/broadphase.h"

namespace sweepd::collision {

/// Tests every pair anew in every update. The oracle for all others: so simple that it is seen to be right.
class BruteForce final : public Broadphase {
 public:
  explicit BruteForce(const CollisionMatrix& matrix) : matrix_(matrix) {}

  void update(const PartChanges& parts, OverlapChanges& overlaps) override;
  void find(const Box& region, std::uint64_t layers, std::vector<PartHandle>& found) const override;
  void validate() const override;

 private:
  struct PlacedPart {
    Box box;
    std::uint32_t object = 0;
    LayerId layer = 0;
    bool present = false;
  };

  void apply(const PartChanges& parts);
  bool is_pair(const PlacedPart& a, const PlacedPart& b) const;

  CollisionMatrix matrix_;
  std::vector<PlacedPart> parts_;       // By handle.
  std::vector<OverlapPair> pairs_;      // Sorted; of the last update.
  std::vector<OverlapPair> new_pairs_;  // Kept for its memory only.
};

}  // namespace sweepd::collision
