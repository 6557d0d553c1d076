// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "collision/broadphase/broadphase.h"

namespace sweepd::collision {

/// The overlaps of the last update, for broadphases that find all of them anew in each.
class StandingPairs {
 public:
  /// To be filled with this update's overlaps, each once, in any order; then `finish`.
  std::vector<OverlapPair>& begin();
  /// Replaces `overlaps` by how they differ from the last update's.
  void finish(OverlapChanges& overlaps);
  void validate() const;

 private:
  std::vector<OverlapPair> before_;  // Sorted.
  std::vector<OverlapPair> now_;
};

}  // namespace sweepd::collision
