// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "match/participant.h"

namespace sweepd::match {

/// Objects that went from one participant to another, or the stage, or both.
struct OwnerChange {
  ParticipantNumber from = 0;  ///< May have left.
  ParticipantNumber to = 0;
  bool with_stage = false;  ///< `to` acts as the stage from now on.
  std::vector<ObjectId> objects = {};
};

}  // namespace sweepd::match
