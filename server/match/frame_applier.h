// SPDX-License-Identifier: MIT
#pragma once

#include "match/claims/claim_desk.h"
#include "match/config.h"
#include "match/frame.h"
#include "match/frame_applier_state.h"
#include "match/mass_applier.h"
#include "match/participant.h"
#include "match/refusal.h"
#include "match/visibility/visibility.h"

namespace sweepd::match {

/// Applies frames to the world of the tick in progress. The changes of a frame are hashed, and each is made
/// or refused by itself, independent of the others of its frame. A refused change is counted for its
/// participant and goes to the log.
class FrameApplier {
 public:
  /// All must outlive it.
  FrameApplier(FrameApplierState state, ClaimDesk& claims, const MatchConfig& config);

  /// `frame` is used up.
  void apply(Participant& participant, Frame& frame);

 private:
  FrameApplierState state_;
  ClaimDesk& claims_;
  RefusalContext context_;
  MassApplier mass_;
  Visibility visibility_;
  const bool keeps_tags_;  ///< Of objects; else they have none.
};

}  // namespace sweepd::match
