// SPDX-License-Identifier: MIT
#include "collision/broadphase/box_lanes.h"

namespace sweepd::collision {

void BoxLanes::resize(std::size_t count) {
  const std::size_t needed = count + kLanesBeyond;
  if (needed <= stride_) return;
  stride_ = needed + needed / 4;
  lanes_ = std::make_unique_for_overwrite<Subunits[]>(4 * stride_);
}

}  // namespace sweepd::collision
