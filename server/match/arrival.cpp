// SPDX-License-Identifier: MIT
#include "match/arrival.h"

#include "base/assert.h"

namespace sweepd::match {
namespace {

Arrival judge_late(const MatchConfig& config, Tick frame_tick, Tick next_tick) {
  const Tick late_ticks = next_tick - frame_tick;
  if (config.late_frames == LateFramePolicy::kDrop) {
    return {.is_late = true,
            .refusal = RejectionReason::kTooLate,
            .message = "tick " + std::to_string(frame_tick) + " has run; the next is " +
                       std::to_string(next_tick) + ", and this match drops late frames (late_frames)",
            .broken_rule = BrokenRule{"late_frames", "", late_ticks, 0}};
  }
  if (late_ticks > config.max_late_ticks) {
    return {.is_late = true,
            .refusal = RejectionReason::kTooLate,
            .message = "tick " + std::to_string(frame_tick) + " is " + std::to_string(late_ticks) +
                       " before the next, " + std::to_string(next_tick) + "; at most " +
                       std::to_string(config.max_late_ticks) + " are allowed (max_late_ticks)",
            .broken_rule = BrokenRule{"max_late_ticks", "", late_ticks, config.max_late_ticks}};
  }
  return {.applies_in = next_tick, .is_late = true, .refusal = {}, .message = {}};
}

}  // namespace

// Differences of ticks only where they cannot be negative: a frame may name any 64-bit tick.
Arrival judge_arrival(const MatchConfig& config, Tick frame_tick, Tick next_tick) {
  SWEEPD_ASSERT(next_tick >= 1);
  if (frame_tick == 0) return {.applies_in = next_tick, .is_late = false, .refusal = {}, .message = {}};
  if (frame_tick < next_tick) return judge_late(config, frame_tick, next_tick);
  const Tick lead_ticks = frame_tick - next_tick;
  if (lead_ticks <= config.max_lead_ticks) {
    return {.applies_in = frame_tick, .is_late = false, .refusal = {}, .message = {}};
  }
  return {.refusal = RejectionReason::kTooFarAhead,
          .message = "tick " + std::to_string(frame_tick) + " is " + std::to_string(lead_ticks) +
                     " ahead of the next, " + std::to_string(next_tick) + "; at most " +
                     std::to_string(config.max_lead_ticks) + " are allowed (max_lead_ticks)",
          .broken_rule = BrokenRule{"max_lead_ticks", "", lead_ticks, config.max_lead_ticks}};
}

}  // namespace sweepd::match
