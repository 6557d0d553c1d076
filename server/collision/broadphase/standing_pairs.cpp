// SPDX-License-Identifier: MIT
#include "collision/broadphase/standing_pairs.h"

#include <algorithm>
#include <iterator>

#include "base/assert.h"

namespace sweepd::collision {

std::vector<OverlapPair>& StandingPairs::begin() {
  now_.clear();
  return now_;
}

void StandingPairs::finish(OverlapChanges& overlaps) {
  std::sort(now_.begin(), now_.end());
  overlaps.began.clear();
  overlaps.ended.clear();
  std::set_difference(now_.begin(), now_.end(), before_.begin(), before_.end(),
                      std::back_inserter(overlaps.began));
  std::set_difference(before_.begin(), before_.end(), now_.begin(), now_.end(),
                      std::back_inserter(overlaps.ended));
  before_.swap(now_);
}

void StandingPairs::validate() const {
  SWEEPD_ASSERT(std::adjacent_find(before_.begin(), before_.end(), std::greater_equal<>{}) == before_.end());
}

}  // namespace sweepd::collision
