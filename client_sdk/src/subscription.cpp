// SPDX-License-Identifier: MIT
#include "subscription.h"

#include <algorithm>
#include <utility>

#include "clock_codec.h"
#include "event_decoder.h"
#include "match_codec.h"
#include "outcome_codec.h"
#include "scoring_codec.h"

namespace sweepd::internal {

bool Subscription::join(const v1::Match& match,
                        const google::protobuf::RepeatedPtrField<v1::Encounter>& encounters,
                        const v1::Participant* seat) {
  last_sequence_number_ = match.events();
  const std::lock_guard lock(mutex_);
  if (state() != SessionState::kConnecting) return false;
  match_ = decode(match);
  tick_ = match.tick();
  digest_ = match.digest();
  clock_ = decode(match.clock());
  for (const auto& encounter : encounters) encounters_.push_back(decode(encounter));
  if (seat != nullptr) seat_ = decode(*seat);
  for (const Score& score : match_->scores) {
    if (!score.has_left) set_score(score);
  }
  state_.store(SessionState::kJoined, std::memory_order_release);
  return true;
}

Status Subscription::update(const v1::TickUpdate& update) {
  if (state() != SessionState::kJoined) return {};
  Status status = take(update);
  if (!status.ok()) fail(status);
  return status;
}

Status Subscription::take(const v1::TickUpdate& update) {
  Arrivals arrivals;
  if (Status status = decode(update.events(), &arrivals.events); !status.ok()) return status;
  if (Status status = check_sequence(arrivals.events); !status.ok()) return status;
  for (const auto& rejection : update.rejections()) arrivals.rejections.push_back(decode(rejection));
  const std::uint64_t last =
      arrivals.events.empty() ? last_sequence_number_ : arrivals.events.back().sequence_number;
  if (!inbox_.put(std::move(arrivals))) {
    return {ErrorCode::kResourceExhausted,
            "more events and rejections wait to be polled than events_queued_max allows",
            {},
            "events_queued_max"};
  }
  last_sequence_number_ = last;
  for (const auto& late : update.late_participants()) late_.put(decode(late));
  const std::lock_guard lock(mutex_);
  tick_ = update.tick();
  digest_ = update.digest();
  if (update.has_clock()) clock_ = decode(update.clock());
  rejections_not_listed_ += update.rejections_not_listed();
  take_outcomes(update);
  return {};
}

Status Subscription::check_sequence(const std::vector<Event>& events) const {
  if (events.empty() || events.front().sequence_number == last_sequence_number_ + 1) return {};
  return {ErrorCode::kInternal, "the server sent event " + std::to_string(events.front().sequence_number) +
                                    " after " + std::to_string(last_sequence_number_)};
}

/// Under the lock.
void Subscription::take_outcomes(const v1::TickUpdate& update) {
  for (const auto& score : update.scores()) set_score(decode(score));
  for (const auto& destruction : update.destructions()) destructions_.put(decode(destruction));
  for (const auto& message : update.owner_changes()) {
    OwnerChange change = decode(message);
    if (seat_ && change.with_stage && change.to == seat_->number) seat_->acts_as_stage = true;
    if (seat_ && change.with_stage && change.from == seat_->number) seat_->acts_as_stage = false;
    owner_changes_.put(std::move(change));
  }
}

void Subscription::set_score(const Score& score) {
  const auto known = std::ranges::find(scores_, score.participant, &Score::participant);
  if (score.has_left) {
    if (known != scores_.end() && known->name == score.name) scores_.erase(known);
  } else if (known != scores_.end()) {
    *known = score;
  } else {
    scores_.push_back(score);
  }
}

std::vector<Score> Subscription::scores() const {
  const std::lock_guard lock(mutex_);
  return scores_;
}

bool Subscription::fail_if_connecting(Status error) {
  const std::lock_guard lock(mutex_);
  if (state() != SessionState::kConnecting) return false;
  error_ = std::move(error);
  state_.store(SessionState::kFailed, std::memory_order_release);
  return true;
}

bool Subscription::finish(SessionState state, Status error) {
  const std::lock_guard lock(mutex_);
  if (is_over()) return false;
  error_ = std::move(error);
  state_.store(state, std::memory_order_release);
  return true;
}

Status Subscription::error() const {
  const std::lock_guard lock(mutex_);
  return error_;
}

std::optional<Participant> Subscription::seat() const {
  const std::lock_guard lock(mutex_);
  return seat_;
}

std::optional<MatchInfo> Subscription::match() const {
  const std::lock_guard lock(mutex_);
  return match_;
}

std::vector<Encounter> Subscription::encounters() const {
  const std::lock_guard lock(mutex_);
  return encounters_;
}

Tick Subscription::tick() const {
  const std::lock_guard lock(mutex_);
  return tick_;
}

std::uint64_t Subscription::digest() const {
  const std::lock_guard lock(mutex_);
  return digest_;
}

ClockState Subscription::clock() const {
  const std::lock_guard lock(mutex_);
  return clock_;
}

std::uint64_t Subscription::rejections_not_listed() const {
  const std::lock_guard lock(mutex_);
  return rejections_not_listed_;
}

}  // namespace sweepd::internal
