// SPDX-License-Identifier: MIT
#include "collision/broadphase/broadphase.h"

#include "base/assert.h"
#include "collision/broadphase/approach.h"
#include "collision/broadphase/brute_force.h"
#include "collision/broadphase/sector_grid.h"
#include "collision/broadphase/sweep_and_prune.h"

namespace sweepd::collision {

const char* name_of(BroadphaseKind kind) {
  switch (kind) {
    case BroadphaseKind::kSweepAndPrune:
      return "sweep_and_prune";
    case BroadphaseKind::kBruteForce:
      return "brute_force";
    case BroadphaseKind::kSectorGrid:
      return "sector_grid";
    case BroadphaseKind::kApproach:
      return "approach";
  }
  SWEEPD_ASSERT(!"a kind of broadphase that does not exist");
  return "";
}

std::unique_ptr<Broadphase> make_broadphase(const BroadphaseConfig& config) {
  switch (config.kind) {
    case BroadphaseKind::kSweepAndPrune:
      return std::make_unique<SweepAndPrune>(config.matrix, SweepTuning{}, config.pairs_max);
    case BroadphaseKind::kBruteForce:
      return std::make_unique<BruteForce>(config.matrix, config.pairs_max);
    case BroadphaseKind::kSectorGrid:
      return std::make_unique<SectorGrid>(config.matrix, config.sector_grid, config.pairs_max);
    case BroadphaseKind::kApproach:
      return std::make_unique<Approach>(config.matrix, config.pairs_max);
  }
  SWEEPD_ASSERT(!"a kind of broadphase that does not exist");
  return nullptr;
}

}  // namespace sweepd::collision
