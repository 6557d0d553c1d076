// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "collision/broadphase/broadphase.h"
#include "collision/broadphase/placed_parts.h"

namespace sweepd::collision {

/// A broadphase that answers from a plain list where its parts are.
class PlacedBroadphase : public Broadphase {
 public:
  Box box_of(PartHandle part) const final { return parts_[part].box; }
  void find(const Box& region, std::uint64_t layers, std::vector<PartHandle>& found) const final {
    parts_.find(region, layers, found);
  }
  void find_each(std::span<const Box> regions, LayerId layer, std::vector<RegionHit>& found,
                 std::size_t found_max = kUnbounded) const final {
    parts_.find_each(regions, layer, found, found_max);
  }

 protected:
  PlacedParts parts_;  ///< As of the last update.
};

}  // namespace sweepd::collision
