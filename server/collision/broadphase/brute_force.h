// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "collision/broadphase/broadphase.h"

namespace sweepd::collision {

/// Tests every pair anew in every update. The oracle for all others: so simple that it is seen to be right.
class BruteForce final : public Broadphase {
 public:
  explicit BruteForce(const CollisionMatrix& matrix) : matrix_(matrix) {}

  void add(PartHandle part, std::uint32_t object, LayerId layer, const Box& box) override;
  void move(PartHandle part, const Box& box) override;
  void remove(PartHandle part) override;
  void update(OverlapChanges& changes) override;
  void validate() const override;

 private:
  struct PlacedPart {
    Box box;
    std::uint32_t object = 0;
    LayerId layer = 0;
    bool present = false;
  };

  bool is_pair(const PlacedPart& a, const PlacedPart& b) const;

  CollisionMatrix matrix_;
  std::vector<PlacedPart> parts_;       // By handle.
  std::vector<OverlapPair> pairs_;      // Sorted; of the last update.
  std::vector<OverlapPair> new_pairs_;  // Kept for its memory only.
};

}  // namespace sweepd::collision
