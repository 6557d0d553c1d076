// SPDX-License-Identifier: MIT
#include "collision/broadphase/placed_parts.h"

#include "base/assert.h"

namespace sweepd::collision {

void PlacedParts::apply(const PartChanges& changes) {
  for (const PartHandle part : changes.removed) {
    SWEEPD_ASSERT(part < parts_.size() && parts_[part].is_present);
    parts_[part].is_present = false;
  }
  for (const auto& [part, box] : changes.moved) {
    SWEEPD_ASSERT(part < parts_.size() && parts_[part].is_present);
    parts_[part].box = box;
  }
  for (const auto& [part, object, layer, box] : changes.added) {
    if (part >= parts_.size()) parts_.resize(std::size_t{part} + 1);
    SWEEPD_ASSERT(!parts_[part].is_present);
    parts_[part] = {box, object, layer, true};
  }
}

void PlacedParts::find(const Box& region, std::uint64_t layers, std::vector<PartHandle>& found) const {
  for (PartHandle part = 0; part < parts_.size(); ++part) {
    const Placed& placed = parts_[part];
    if (placed.is_present && (layers >> placed.layer & 1) != 0 && overlap(placed.box, region))
      found.push_back(part);
  }
}

void PlacedParts::find_each(std::span<const Box> regions, LayerId layer, std::vector<RegionHit>& found,
                            std::size_t found_max) const {
  for (PartHandle part = 0; part < parts_.size() && found.size() <= found_max; ++part) {
    const Placed& placed = parts_[part];
    if (!placed.is_present || placed.layer != layer) continue;
    for (std::uint32_t i = 0; i < regions.size(); ++i) {
      if (overlap(placed.box, regions[i])) found.push_back({i, part});
    }
  }
}

}  // namespace sweepd::collision
