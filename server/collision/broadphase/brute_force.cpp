// SPDX-License-Identifier: MIT
#include "collision/broadphase/brute_force.h"

#include <algorithm>
#include <iterator>

#include "base/assert.h"

namespace sweepd::collision {

void BruteForce::apply(const PartChanges& parts) {
  for (const PartHandle part : parts.removed) {
    SWEEPD_ASSERT(part < parts_.size() && parts_[part].present);
    parts_[part].present = false;
  }
  for (const auto& [part, box] : parts.moved) {
    SWEEPD_ASSERT(part < parts_.size() && parts_[part].present);
    parts_[part].box = box;
  }
  for (const auto& [part, object, layer, box] : parts.added) {
    if (part >= parts_.size()) parts_.resize(std::size_t{part} + 1);
    SWEEPD_ASSERT(!parts_[part].present);
    parts_[part] = {box, object, layer, true};
  }
}

bool BruteForce::is_pair(const PlacedPart& a, const PlacedPart& b) const {
  return a.present && b.present && a.object != b.object && matrix_.allows(a.layer, b.layer) &&
         overlap(a.box, b.box);
}

void BruteForce::update(const PartChanges& parts, OverlapChanges& overlaps) {
  apply(parts);
  new_pairs_.clear();
  for (PartHandle first = 0; first < parts_.size(); ++first) {
    for (PartHandle second = first + 1; second < parts_.size(); ++second) {
      if (is_pair(parts_[first], parts_[second])) new_pairs_.push_back({first, second});
    }
  }
  overlaps.began.clear();
  overlaps.ended.clear();
  std::set_difference(new_pairs_.begin(), new_pairs_.end(), pairs_.begin(), pairs_.end(),
                      std::back_inserter(overlaps.began));
  std::set_difference(pairs_.begin(), pairs_.end(), new_pairs_.begin(), new_pairs_.end(),
                      std::back_inserter(overlaps.ended));
  pairs_.swap(new_pairs_);
}

void BruteForce::find(const Box& region, std::uint64_t layers, std::vector<PartHandle>& found) const {
  for (PartHandle part = 0; part < parts_.size(); ++part) {
    const PlacedPart& placed = parts_[part];
    if (placed.present && (layers >> placed.layer & 1) != 0 && overlap(placed.box, region)) {
      found.push_back(part);
    }
  }
}

void BruteForce::validate() const { SWEEPD_ASSERT(std::is_sorted(pairs_.begin(), pairs_.end())); }

}  // namespace sweepd::collision
