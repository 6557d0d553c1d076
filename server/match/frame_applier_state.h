// SPDX-License-Identifier: MIT
#pragma once

#include "collision/world.h"
#include "match/digest.h"
#include "match/object_limits.h"
#include "match/object_owners.h"
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
};

}  // namespace sweepd::match
