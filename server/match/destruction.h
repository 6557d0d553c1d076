// SPDX-License-Identifier: MIT
#pragma once

#include "collision/outcomes.h"
#include "match/participant.h"

namespace sweepd::match {

/// An object that lost its last hit point, and whose it was.
struct Destruction {
  collision::Destruction what;
  ParticipantNumber owner = 0;
  ParticipantNumber by_owner = 0;
};

}  // namespace sweepd::match
