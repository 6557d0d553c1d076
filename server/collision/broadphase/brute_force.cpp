// SPDX-License-Identifier: MIT
#include "collision/broadphase/brute_force.h"

#include <algorithm>
#include <iterator>

#include "base/assert.h"

namespace sweepd::collision {

void BruteForce::add(PartHandle part, std::uint32_t object, LayerId layer, const Box& box) {
  if (part >= parts_.size()) parts_.resize(std::size_t{part} + 1);
  SWEEPD_ASSERT(!parts_[part].present);
  parts_[part] = {box, object, layer, true};
}

void BruteForce::move(PartHandle part, const Box& box) {
  SWEEPD_ASSERT(part < parts_.size() && parts_[part].present);
  parts_[part].box = box;
}

void BruteForce::remove(PartHandle part) {
  SWEEPD_ASSERT(part < parts_.size() && parts_[part].present);
  parts_[part].present = false;
}

bool BruteForce::is_pair(const PlacedPart& a, const PlacedPart& b) const {
  return a.present && b.present && a.object != b.object && matrix_.allows(a.layer, b.layer) &&
         overlap(a.box, b.box);
}

void BruteForce::update(OverlapChanges& changes) {
  new_pairs_.clear();
  for (PartHandle first = 0; first < parts_.size(); ++first) {
    for (PartHandle second = first + 1; second < parts_.size(); ++second) {
      if (is_pair(parts_[first], parts_[second])) new_pairs_.push_back({first, second});
    }
  }
  changes.began.clear();
  changes.ended.clear();
  std::set_difference(new_pairs_.begin(), new_pairs_.end(), pairs_.begin(), pairs_.end(),
                      std::back_inserter(changes.began));
  std::set_difference(pairs_.begin(), pairs_.end(), new_pairs_.begin(), new_pairs_.end(),
                      std::back_inserter(changes.ended));
  pairs_.swap(new_pairs_);
}

void BruteForce::validate() const { SWEEPD_ASSERT(std::is_sorted(pairs_.begin(), pairs_.end())); }

}  // namespace sweepd::collision
