// SPDX-License-Identifier: MIT
//
// What comes from streams: subscribers, their seats, and what participants send.
#include <utility>

#include "base/assert.h"
#include "match/frame_queue.h"
#include "runtime/match/match_host.h"

namespace sweepd::runtime {

Subscription& MatchHost::watch(Subscriber& subscriber, SubscriptionOptions options) {
  return follow(subscriber, std::move(options), std::nullopt);
}

Subscription& MatchHost::follow(Subscriber& subscriber, SubscriptionOptions options,
                                std::optional<match::ParticipantNumber> participant) {
  SWEEPD_ASSERT(!match_.ended());
  idle_timer_.cancel();
  return followers_.add(
      subscriber, std::make_unique<Subscription>(std::move(options), feed(), seats_.own_of(participant)));
}

base::Result<Seating, match::JoinError> MatchHost::join(Subscriber& subscriber, const match::Join& request,
                                                        SubscriptionOptions options, const BudgetKey& owner) {
  const auto seat = take_seat(request, owner);
  if (!seat.ok()) return seat.error();
  return seating(seat->number, seat->token, follow(subscriber, std::move(options), seat->number));
}

std::optional<Seating> MatchHost::rejoin(Subscriber& subscriber, std::string_view name,
                                         std::string_view token, SubscriptionOptions options,
                                         const BudgetKey& owner) {
  auto seat = take_seat_again(name, token, owner);
  if (!seat) return std::nullopt;
  return seating(seat->number, std::move(seat->token), follow(subscriber, std::move(options), seat->number));
}

base::Result<Seating, match::JoinError> MatchHost::join_also(Subscriber& subscriber,
                                                             const match::Join& request,
                                                             const BudgetKey& owner) {
  Subscription& subscription = followers_.subscription_of(subscriber);
  const auto seat = take_seat(request, owner);
  if (!seat.ok()) return seat.error();
  subscription.add_seat(seats_.seat_of(seat->number), false, feed());
  return seating(seat->number, seat->token, subscription);
}

std::optional<Seating> MatchHost::rejoin_also(Subscriber& subscriber, std::string_view name,
                                              std::string_view token, const BudgetKey& owner) {
  Subscription& subscription = followers_.subscription_of(subscriber);
  auto seat = take_seat_again(name, token, owner);
  if (!seat) return std::nullopt;
  subscription.add_seat(seats_.seat_of(seat->number), true, feed());
  return seating(seat->number, std::move(seat->token), subscription);
}

Seating MatchHost::seating(match::ParticipantNumber number, std::string token,
                           Subscription& subscription) const {
  return {*match_.find_participant(number), std::move(token), subscription};
}

base::Result<SeatDesk::TakenSeat, match::JoinError> MatchHost::take_seat(const match::Join& request,
                                                                         const BudgetKey& owner) {
  auto seat = seats_.take(request, owner);
  if (seat.ok() && sight_) sight_->begin_seat(seat->number);
  if (seat.ok()) write_state();
  return seat;
}

std::optional<SeatDesk::TakenSeat> MatchHost::take_seat_again(std::string_view name, std::string_view token,
                                                              const BudgetKey& owner) {
  const Journal::Position durable = options_.journal == nullptr ? 0 : options_.journal->durable_position();
  auto seat = seats_.take_again(name, token, owner, durable);
  if (!seat) return std::nullopt;
  write_state();
  if (const auto told = followers_.replace_stream_of(seat->number)) seats_.note_told(*told);
  update_absences();
  return seat;
}

void MatchHost::stop_following(Subscriber& subscriber, bool keeps_seat) {
  followers_.mark_left(subscriber, keeps_seat);
  if (!followers_.is_telling()) remove_those_who_left();
}

void MatchHost::remove_those_who_left() {
  const auto left = followers_.take_left();
  if (left.empty()) return;
  for (const Followers::Follower& follower : left) {
    for (const Subscription::Seat& seat : follower.subscription->seats()) {
      part_with(seat, follower.keeps_seat);
    }
  }
  update_absences();
  if (followers_.empty()) watch_idleness();
  pacer_.resume_ticks();  // They may have waited for one that left.
}

void MatchHost::part_with(const Subscription::Seat& seat, bool keeps_seat) {
  if (seats_.part_with(seat, keeps_seat)) write_state();
}

void MatchHost::stop_following(Subscriber& subscriber, match::ParticipantNumber number, bool keeps_seat) {
  Subscription& subscription = followers_.subscription_of(subscriber);
  subscription.keep_rejections_of(number);
  part_with(subscription.remove_seat(number), keeps_seat);
  update_absences();
  pacer_.resume_ticks();  // They may have waited for its frames.
}

void MatchHost::give_up_seat(std::string_view name, std::string_view token, const BudgetKey& owner) {
  if (!seats_.give_up(name, token, owner)) return;
  write_state();
  update_absences();
}

void MatchHost::update_absences() {
  if (!seats_.update_absences() || clock_.has_started() || match_.ended()) return;
  start_clock_if_ready();  // The start may have waited for one that is back, or has left for good.
  pacer_.run_ticks_if_due();
}

void MatchHost::submit(match::ParticipantNumber number, match::Frame frame, Duration waited) {
  loop_->figures().frames.add();
  if (refuse_rows(number, frame)) return;
  if (seats_.confirm_token(number)) write_state();
  seats_.note_acknowledged(number, frame.acknowledged_tick, loop_->now() - waited);
  frame.delay_ticks = seats_.delay_ticks_of(number, clock_.state().tick_rate_hz);
  // Rejections are told at once while ticks stand still, and a stream that is too slow for them is gone then.
  if (!frame.messages.empty()) drop_excess_messages(number, frame);
  const bool is_taken = !recorder_.apply(match::Submission{number, std::move(frame)});
  if (!is_taken) return report_refusals_if_paused();
  start_clock_if_ready();
  pacer_.run_ticks_if_due();
}

/// What is told others is bounded before it comes into the match and its log.
void MatchHost::drop_excess_messages(match::ParticipantNumber number, match::Frame& frame) {
  std::vector<match::AppMessage> kept;
  for (std::size_t i = 0; i < frame.messages.size(); ++i) {
    if (auto excess = find_excess(number, i, frame.messages[i])) {
      refuse(number, match::RejectionReason::kTooManyMessages, frame.tick, match::indexed("messages", i),
             *std::move(excess));
    } else {
      kept.push_back(std::move(frame.messages[i]));
    }
  }
  frame.messages = std::move(kept);
}

std::optional<std::string> MatchHost::find_excess(match::ParticipantNumber number, std::size_t index,
                                                  const match::AppMessage& message) {
  using match::AppMessage;
  if (index >= AppMessage::kPerFrameMax)
    return "a frame may have " + std::to_string(AppMessage::kPerFrameMax) +
           " messages; the others are dropped";
  if (message.bytes.size() > AppMessage::kBytesMax)
    return "a message may have " + std::to_string(AppMessage::kBytesMax) + " bytes, and this one has more";
  if (match_.config().app_messages_per_second == 0)
    return "the match lets none be sent (app_messages_per_second)";
  if (seats_.take_message(number, message.bytes.size(), loop_->now())) return std::nullopt;
  return "fewer are left of " + std::to_string(match_.config().app_messages_per_second) +
         " messages a second (app_messages_per_second), or of " +
         std::to_string(SeatDesk::kMessageBytesPerSecondMax) + " bytes";
}

bool MatchHost::refuse_rows(match::ParticipantNumber number, const match::Frame& frame) {
  const auto place = match_.find_place(number, frame.tick);
  if (!place) return false;
  const TickRows::Frame rows{number, *place, match::count_rows(frame)};
  const auto excess = rows_.take(rows, match_.tick() + 1, [this] { return match_.participants().size(); });
  if (!excess) return false;
  refuse(number, match::RejectionReason::kTooManyFrames, frame.tick, "",
         "with this frame the tick would have " + std::to_string(*excess) +
             " changes and parts; at most as many as the match may have objects and parts, " +
             std::to_string(rows_.most()) + ", are for one tick");
  return true;
}

void MatchHost::refuse(match::ParticipantNumber number, match::RejectionReason reason, match::Tick frame_tick,
                       std::string field, std::string message, std::optional<match::BrokenRule> broken_rule) {
  recorder_.apply(match::RefusedMessage{number, reason, frame_tick, std::move(field), std::move(message),
                                        std::move(broken_rule)});
  report_refusals_if_paused();
}

// They would wait for a tick that may be long in coming.
void MatchHost::report_refusals_if_paused() {
  if (clock_.state().is_paused && !match_.ended()) tell_without_tick();
}

void MatchHost::control_clock(match::ParticipantNumber number, const ClockControl& control) {
  if (may_control_clock(number)) return control_clock(control);
  refuse(number, match::RejectionReason::kMayNotControl, 0, "clock_control",
         "the participant's role may not control the clock (clock_control_roles)",
         match::BrokenRule{.rule = "clock_control_roles", .template_name = {}});
}

bool MatchHost::may_control_clock(match::ParticipantNumber number) const {
  const auto participant = match_.find_participant(number);
  SWEEPD_ASSERT(participant);
  return participant->is_any_of(match_.config().clock_control_roles);
}

match::Claimant MatchHost::claimant(match::ParticipantNumber number) const {
  return {.number = number,
          .arrival_tick = match_.tick(),
          .delay_ticks = seats_.delay_ticks_of(number, clock_.state().tick_rate_hz)};
}

void MatchHost::watch_idleness() {
  idle_timer_.start(options_.idle_timeout, [this] {
    if (match_.ended() || !followers_.empty()) return;
    if (pacer_.has_steps()) return watch_idleness();
    end(EndCause::kIdle);
  });
}

}  // namespace sweepd::runtime
