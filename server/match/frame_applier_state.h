// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "collision/world.h"
#include "match/digest.h"
#include "match/object_limits.h"
#include "match/object_owners.h"
#include "match/owner_change.h"
#include "match/rejection_log.h"
#include "match/seats.h"

namespace sweepd::match {

/// What frames are applied to. Must outlive whoever applies them.
struct FrameApplierState {
  collision::World& world;
  ObjectOwners& owners;
  Seats& seats;
  Digest& digest;
  RejectionLog& rejections;
  ObjectLimits& limits;
  std::vector<OwnerChange>& owner_changes;  ///< Of the tick in progress.
};

}  // namespace sweepd::match
