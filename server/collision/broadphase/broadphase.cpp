// SPDX-License-Identifier: MIT
#include "collision/broadphase/broadphase.h"

#include "base/assert.h"
#include "collision/broadphase/brute_force.h"
#include "collision/broadphase/sweep_and_prune.h"
#include "collision/world.h"

namespace sweepd::collision {

std::unique_ptr<Broadphase> make_broadphase(BroadphaseKind kind, const CollisionMatrix& matrix) {
  switch (kind) {
    case BroadphaseKind::kSweepAndPrune:
      return std::make_unique<SweepAndPrune>(matrix);
    case BroadphaseKind::kBruteForce:
      return std::make_unique<BruteForce>(matrix);
    case BroadphaseKind::kSectorGrid:
    case BroadphaseKind::kApproach:
      break;
  }
  SWEEPD_ASSERT(!"a kind of broadphase that does not exist");
  return nullptr;
}

}  // namespace sweepd::collision
