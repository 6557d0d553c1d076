// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "match/arrival.h"
#include "match/config.h"
#include "match/frame_applier_state.h"
#include "match/input.h"

namespace sweepd::match {

/// Where frames come in: each is queued for the tick in which it applies, or refused whole, judged by that
/// tick, its sender's role and rights, and what waits already. Its changes are judged in their tick
/// (FrameApplier).
class FrameIntake {
 public:
  /// `config` must outlive it.
  FrameIntake(FrameApplierState state, const MatchConfig& config) : state_(state), config_(config) {}

  /// `seat` is the sender's. `log` is told of a frame that is taken; null: there is none.
  Submission::Answer take(Seat& seat, Submission&& submission, InputLog* log);

  /// In which tick a frame of the seat would apply that came now; nothing: it would be refused, or changes
  /// nothing.
  std::optional<Tick> find_place(const Seat& seat, Tick frame_tick) const;

  /// A message that was refused before a match could judge it.
  void refuse(Seat& seat, RefusedMessage refused);

 private:
  Tick place_of(const Seat& seat, Tick frame_tick, const Arrival& arrival) const;
  Tick next_tick() const { return state_.world.tick() + 1; }
  void tell(InputLog& log, Submission& submission) const;
  std::optional<Rejection> take_observer_frame(Seat& seat, const Frame& frame);
  std::optional<Rejection> tally(Seat& seat, Tick frame_tick);
  static void note_late(Participant& participant, Tick late_ticks);
  void refuse_excess_claims(Seat& seat, Frame& frame);
  /// Counted for the sender and listed in the next tick.
  Rejection refuse_whole(Seat& seat, Tick frame_tick, RejectionReason reason, std::string field,
                         std::string message, std::optional<BrokenRule> broken_rule = {});

  FrameApplierState state_;
  const MatchConfig& config_;
};

}  // namespace sweepd::match
