// SPDX-License-Identifier: MIT
#pragma once

#include "match/config.h"
#include "match/frame_applier_state.h"

namespace sweepd::match {

/// What becomes of the objects of participants that have left, in the tick after: they leave the world
/// (OWNER_LEFT), but for those of a stage that has a successor.
class Departures {
 public:
  /// `config` must outlive it.
  Departures(FrameApplierState state, const MatchConfig& config) : state_(state), config_(config) {}

  /// Of all that have left since the tick before, by number; their seats are free after it.
  void apply();

 private:
  void hand_stage_over(const Participant& leaver);
  Seat* stage_successor();

  FrameApplierState state_;
  const MatchConfig& config_;
};

}  // namespace sweepd::match
