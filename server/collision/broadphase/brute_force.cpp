// SPDX-License-Identifier: MIT
#include "collision/broadphase/brute_force.h"

namespace sweepd::collision {

bool BruteForce::update(const PartChanges& parts, OverlapChanges& overlaps) {
  parts_.apply(parts);
  std::vector<OverlapPair>& found = pairs_.begin();
  for (PartHandle first = 0; first < parts_.end(); ++first) {
    const PlacedParts::Placed& a = parts_[first];
    if (!a.is_present) continue;
    if (found.size() > pairs_max_) return false;
    for (PartHandle second = first + 1; second < parts_.end(); ++second) {
      const PlacedParts::Placed& b = parts_[second];
      if (b.is_present && parts_.may_meet(a, b, matrix_) && overlap(a.box, b.box))
        found.push_back({first, second});
    }
  }
  if (found.size() > pairs_max_) return false;
  pairs_.finish(overlaps);
  return true;
}

}  // namespace sweepd::collision
