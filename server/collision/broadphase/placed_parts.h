// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "collision/broadphase/broadphase.h"

namespace sweepd::collision {

/// Where each part is, by handle: what the plain broadphases know of the world.
class PlacedParts {
 public:
  struct Placed {
    Box box;
    std::uint32_t object = 0;
    LayerId layer = 0;
    bool is_present = false;
  };

  void apply(const PartChanges& changes);

  const Placed& operator[](PartHandle part) const { return parts_[part]; }
  PartHandle end() const { return static_cast<PartHandle>(parts_.size()); }
  bool may_meet(const Placed& a, const Placed& b, const CollisionMatrix& matrix) const {
    return a.object != b.object && matrix.allows(a.layer, b.layer);
  }
  /// As Broadphase::find.
  void find(const Box& region, std::uint64_t layers, std::vector<PartHandle>& found) const;
  void find_each(std::span<const Box> regions, LayerId layer, std::vector<RegionHit>& found,
                 std::size_t found_max) const;

 private:
  std::vector<Placed> parts_;
};

}  // namespace sweepd::collision
