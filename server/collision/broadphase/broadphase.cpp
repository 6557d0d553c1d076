// SPDX-License-Identifier: MIT
#include "collision/broadphase/broadphase.h"

#include "base/assert.h"
#include "collision/broadphase/brute_force.h"
#include "collision/world.h"

namespace sweepd::collision {

std::unique_ptr<Broadphase> make_broadphase(BroadphaseKind, const CollisionMatrix& matrix) {
  return std::make_unique<BruteForce>(matrix);
}

}  // namespace sweepd::collision
