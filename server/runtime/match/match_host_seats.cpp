// SPDX-License-Identifier: MIT
//
// Seats of a match: who takes one, on whose stream, and what becomes of it.
#include <algorithm>
#include <utility>

#include "base/assert.h"
#include "runtime/match/match_host.h"

namespace sweepd::runtime {

base::Result<MatchHost::TakenSeat, match::JoinError> MatchHost::take_seat(const match::Join& request) {
  const auto participant = recorder_.apply(request);
  if (!participant.ok()) return participant.error();
  const ReconnectToken token = ReconnectToken::random();
  SeatRecord& record = seats_.add(participant->number);
  record.token = token.digest();
  record.told_claims = claims_.count();
  write_state();
  monitor_.joined(*participant);
  return TakenSeat{participant->number, token.bytes()};
}

std::optional<match::ParticipantNumber> MatchHost::take_seat_again(std::string_view name,
                                                                   std::string_view token) {
  const auto number = seats_.find(match_, name, token);
  if (!number || !recorder_.apply(match::Back{*number})) return std::nullopt;
  replace_stream_of(*number);
  update_absences();
  monitor_.came_back(*number);
  return number;
}

base::Result<Seating, match::JoinError> MatchHost::join(Subscriber& subscriber, const match::Join& request,
                                                        SubscriptionOptions options) {
  const auto seat = take_seat(request);
  if (!seat.ok()) return seat.error();
  return seating(seat->number, seat->token, follow(subscriber, std::move(options), seat->number));
}

std::optional<Seating> MatchHost::rejoin(Subscriber& subscriber, std::string_view name,
                                         std::string_view token, SubscriptionOptions options) {
  const auto number = take_seat_again(name, token);
  if (!number) return std::nullopt;
  return seating(*number, std::string(token), follow(subscriber, std::move(options), *number));
}

base::Result<Seating, match::JoinError> MatchHost::join_also(Subscriber& subscriber,
                                                             const match::Join& request) {
  Subscription& subscription = subscription_of(subscriber);
  const auto seat = take_seat(request);
  if (!seat.ok()) return seat.error();
  subscription.add_seat(seat_of(seat->number), false, feed());
  return seating(seat->number, seat->token, subscription);
}

std::optional<Seating> MatchHost::rejoin_also(Subscriber& subscriber, std::string_view name,
                                              std::string_view token) {
  Subscription& subscription = subscription_of(subscriber);
  const auto number = take_seat_again(name, token);
  if (!number) return std::nullopt;
  subscription.add_seat(seat_of(*number), true, feed());
  return seating(*number, std::string(token), subscription);
}

Seating MatchHost::seating(match::ParticipantNumber number, std::string token,
                           Subscription& subscription) const {
  return {*match_.find_participant(number), std::move(token), subscription};
}

void MatchHost::replace_stream_of(match::ParticipantNumber number) {
  const auto it = std::ranges::find_if(
      followers_, [number](const Follower& follower) { return follower.subscription->has_seat(number); });
  if (it == followers_.end()) return;
  Subscription& subscription = *it->subscription;
  if (subscription.seats().size() > 1) {
    note_told(subscription.remove_seat(number));
    return it->subscriber->seat_replaced(number);
  }
  note_told(subscription.seats().front());
  const Follower old = std::move(*it);
  followers_.erase(it);
  old.subscriber->replaced();
}

Subscription& MatchHost::subscription_of(const Subscriber& subscriber) {
  const auto it = std::ranges::find(followers_, &subscriber, &Follower::subscriber);
  SWEEPD_ASSERT(!is_delivering_ && it != followers_.end());
  return *it->subscription;
}

Subscription::Own MatchHost::own_of(std::optional<match::ParticipantNumber> participant) {
  if (!participant) return {.told_claims = claims_.count()};
  const Subscription::Seat seat = seat_of(*participant);
  return {.seats = {seat}, .told_claims = seat.told_claims};
}

Subscription::Seat MatchHost::seat_of(match::ParticipantNumber number) {
  const SeatRecord& record = seats_.at(number);
  return {.number = number,
          .rejections = &record.rejections,
          .told_rejections = record.told_rejections,
          .told_claims = record.told_claims};
}

void MatchHost::note_told(const Subscription::Seat& seat) {
  SeatRecord& record = seats_.at(seat.number);
  record.told_rejections = seat.told_rejections;
  record.told_claims = seat.told_claims;
  record.delay.forget_sent();
}

void MatchHost::note_sent(const Subscription& subscription, match::Tick tick) {
  for (const Subscription::Seat& seat : subscription.seats()) {
    seats_.at(seat.number).delay.sent(tick, loop_->now());
  }
}

void MatchHost::part_with(const Follower& follower) {
  for (const Subscription::Seat& seat : follower.subscription->seats()) part_with(seat, follower.keeps_seat);
}

void MatchHost::part_with(const Subscription::Seat& seat, bool keeps_seat) {
  note_told(seat);
  if (keeps_seat) {
    recorder_.apply(match::Away{seat.number});
  } else {
    recorder_.apply(match::Leave{seat.number});
  }
  monitor_.left(seats_.remove_departed(match_));
  if (match_.find_participant(seat.number)) return monitor_.is_away(seat.number);
  write_state();
}

void MatchHost::leave(Subscriber& subscriber, match::ParticipantNumber number) {
  Subscription& subscription = subscription_of(subscriber);
  subscription.keep_rejections_of(number);
  part_with(subscription.remove_seat(number), false);
  update_absences();
  resume_ticks();  // They may have waited for its frames.
}

void MatchHost::give_up_seat(std::string_view name, std::string_view token) {
  const auto number = seats_.find(match_, name, token);
  if (!number || !match_.find_participant(*number)->is_away) return;
  recorder_.apply(match::Leave{*number});
  monitor_.left(seats_.remove_departed(match_));
  write_state();
  update_absences();
}

void MatchHost::update_absences() {
  std::vector<match::ParticipantNumber> away;
  for (const match::Participant& participant : match_.participants()) {
    if (participant.is_away) away.push_back(participant.number);
  }
  if (away == absences_.numbers) return;
  absences_.numbers = std::move(away);
  ++absences_.version;
  if (clock_.has_started() || match_.ended()) return;
  start_clock_if_ready();  // It may have waited for who is back, or has left for good.
  run_ticks_if_due();
}

}  // namespace sweepd::runtime
