// SPDX-License-Identifier: MIT
#include "collision/motion_table.h"

#include "base/growth.h"

namespace sweepd::collision {

void MotionTable::set(ObjectSlot slot, const Motion& motion) {
  if (motion.is_still()) return clear(slot);
  if (slot / 64 >= moving_.size()) moving_.resize(slot / 64 + 1);
  if (slot >= velocities_.size()) base::grow_to(velocities_, slot + 1);
  if (slot >= accelerations_.size() && motion.acceleration != Point{})
    base::grow_to(accelerations_, slot + 1);
  moving_[slot / 64] |= bit(slot);
  velocities_[slot] = motion.velocity;
  if (slot < accelerations_.size()) accelerations_[slot] = motion.acceleration;
}

}  // namespace sweepd::collision
