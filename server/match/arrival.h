// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "match/config.h"
#include "match/rejection.h"

namespace sweepd::match {

/// What becomes of a frame, judged by its tick alone when it comes in.
struct Arrival {
  Tick applies_in = 0;  ///< Where it is not refused.
  bool is_late = false;
  std::optional<RejectionReason> refusal;
  std::string message;  ///< Where it is refused.
  std::optional<BrokenRule> broken_rule = {};
};

/// `frame_tick`: as sent, 0 for the next; `next_tick`: the one that runs next.
Arrival judge_arrival(const MatchConfig& config, Tick frame_tick, Tick next_tick);

}  // namespace sweepd::match
