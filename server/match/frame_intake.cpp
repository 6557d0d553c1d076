// SPDX-License-Identifier: MIT
#include "match/frame_intake.h"

#include <algorithm>
#include <utility>

#include "match/arrival.h"
#include "match/first_change.h"

namespace sweepd::match {

Rejection FrameIntake::refuse_whole(Seat& seat, Tick frame_tick, RejectionReason reason, std::string field,
                                    std::string message, std::optional<BrokenRule> broken_rule) {
  const Rejection rejection{.participant = seat.participant.number,
                            .tick = next_tick(),
                            .frame_tick = frame_tick,
                            .reason = reason,
                            .field = std::move(field),
                            .message = std::move(message),
                            .broken_rule = std::move(broken_rule)};
  seat.participant.count_rejection(reason);
  state_.rejections.add(seat.participant.number, [&] { return rejection; });
  return rejection;
}

void FrameIntake::note_late(Participant& participant, Tick late_ticks) {
  ++participant.late_frames;
  participant.late_ticks_max = std::max(participant.late_ticks_max, late_ticks);
}

Submission::Answer FrameIntake::take(Seat& seat, Submission&& submission, InputLog* log) {
  Frame& frame = submission.frame;
  const Tick tick = state_.world.tick();
  // Even with a frame that is refused: the client has seen the tick all the same.
  const Tick seen = std::min(frame.acknowledged_tick, tick);
  seat.participant.acknowledged_tick = std::max(seat.participant.acknowledged_tick, seen);
  if (!seat.may_change()) return take_observer_frame(seat, frame);

  Arrival arrival = judge_arrival(config_, frame.tick, next_tick());
  if (arrival.is_late) note_late(seat.participant, next_tick() - frame.tick);
  if (arrival.refusal) {
    return refuse_whole(seat, frame.tick, *arrival.refusal, "tick", std::move(arrival.message),
                        std::move(arrival.broken_rule));
  }
  if (auto refusal = tally(seat, frame.tick)) return refusal;
  if (!seat.frames.has_room_for(frame)) {
    return refuse_whole(seat, frame.tick, RejectionReason::kTooManyFrames, "",
                        "with it more than " + std::to_string(kFramesWaitingMax) + " frames or " +
                            std::to_string(kRowsWaitingMax) +
                            " changes of this participant would wait for their ticks");
  }
  if (log != nullptr) tell(*log, submission);
  seat.has_sent_frame = true;
  frame.arrival_tick = tick;
  refuse_excess_claims(seat, frame);
  const Tick meant_for = arrival.is_late ? frame.tick : arrival.applies_in;
  arrival.applies_in = place_of(seat, frame.tick, arrival);
  seat.frames.add(arrival.applies_in, std::move(frame), arrival.applies_in > meant_for);
  return std::nullopt;
}

/// Without messages, where those are not to be in the log.
void FrameIntake::tell(InputLog& log, Submission& submission) const {
  std::vector<AppMessage> messages;
  if (!config_.app_messages_recorded) messages.swap(submission.frame.messages);
  log.took(submission);
  if (!config_.app_messages_recorded) messages.swap(submission.frame.messages);
}

Tick FrameIntake::place_of(const Seat& seat, Tick frame_tick, const Arrival& arrival) const {
  const bool is_spread = config_.late_frames == LateFramePolicy::kSpread;
  return is_spread ? seat.frames.place_behind_late(frame_tick, next_tick()) : arrival.applies_in;
}

std::optional<Tick> FrameIntake::find_place(const Seat& seat, Tick frame_tick) const {
  if (!seat.may_change()) return std::nullopt;
  const Arrival arrival = judge_arrival(config_, frame_tick, next_tick());
  if (arrival.refusal) return std::nullopt;
  return place_of(seat, frame_tick, arrival);
}

std::optional<Rejection> FrameIntake::take_observer_frame(Seat& seat, const Frame& frame) {
  const char* change = first_change(frame);
  if (change == nullptr) return std::nullopt;
  return refuse_whole(seat, frame.tick, RejectionReason::kNotAllowed, change,
                      "an observer may not change anything; its frames only acknowledge ticks");
}

std::optional<Rejection> FrameIntake::tally(Seat& seat, Tick frame_tick) {
  const auto [frames_max, place] = state_.limits.rights_of(seat.participant).frames_max;
  if (frames_max == Rights::kNoLimit) return std::nullopt;
  const Tick tick = frame_tick == 0 ? next_tick() : frame_tick;
  const Tick first = next_tick() - std::min<Tick>(next_tick(), config_.max_late_ticks);
  if (seat.tally.take(tick, frames_max, first)) return std::nullopt;
  const std::string rule = path_of_limit(place, "frames_max");
  return refuse_whole(seat, frame_tick, RejectionReason::kTooManyFrames, "tick",
                      "tick " + std::to_string(tick) + " has " + std::to_string(frames_max) +
                          " frames of the participant, the most it may send for one (" + rule + ")",
                      BrokenRule{rule, "", std::uint64_t{frames_max} + 1, frames_max});
}

void FrameIntake::refuse_excess_claims(Seat& seat, Frame& frame) {
  const std::size_t room = kClaimsWaitingMax - seat.frames.claims();
  if (frame.claims.size() <= room) return;
  refuse_whole(seat, frame.tick, RejectionReason::kTooManyClaims, "claims[" + std::to_string(room) + "]",
               "from this one on they are not taken: " + std::to_string(kClaimsWaitingMax) +
                   " claims of this participant wait for their ticks");
  frame.claims.resize(room);
  frame.claims.shrink_to_fit();  // The memory of the others must not wait with the frame.
}

void FrameIntake::refuse(Seat& seat, RefusedMessage refused) {
  refuse_whole(seat, refused.frame_tick, refused.reason, std::move(refused.field), std::move(refused.message),
               std::move(refused.broken_rule));
}

}  // namespace sweepd::match
