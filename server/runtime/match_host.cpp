// SPDX-License-Identifier: MIT
#include "runtime/match_host.h"

#include <algorithm>
#include <utility>

#include "base/assert.h"

namespace sweepd::runtime {
namespace {

// A long step shares the loop with matches whose ticks are due.
constexpr Duration kSliceDuration = std::chrono::milliseconds(1);
constexpr int kSliceTicksMax = 256;

// Steps can run faster than anybody reads. They wait for their readers, but not for ever for one that has
// stopped.
constexpr Duration kPatience = std::chrono::seconds(1);

TickReport report_for(std::optional<match::ParticipantNumber> participant, const match::TickOutput& output) {
  TickReport report{output.tick, output.digest, output.events, {}, 0, output.destructions};
  if (!participant) return report;
  const auto of_participant = [&](auto bound) {
    return bound(output.rejections, *participant, std::ranges::less{}, &match::Rejection::participant);
  };
  report.rejections = {of_participant(std::ranges::lower_bound), of_participant(std::ranges::upper_bound)};
  for (const match::UnlistedRejections& unlisted : output.rejections_not_listed) {
    if (unlisted.participant == *participant) report.rejections_not_listed += unlisted.count;
  }
  return report;
}

bool has_content(const TickReport& report) {
  return !report.events.empty() || !report.destructions.empty() || !report.rejections.empty() ||
         report.rejections_not_listed > 0;
}

}  // namespace

std::shared_ptr<MatchHost> MatchHost::create(Loop& loop, std::unique_ptr<match::Match> match,
                                             MatchHostOptions options) {
  std::shared_ptr<MatchHost> host(new MatchHost(loop, std::move(match), std::move(options)));
  host->watch_idleness();
  host->start_clock_if_ready();
  return host;
}

MatchHost::MatchHost(Loop& loop, std::unique_ptr<match::Match> match, MatchHostOptions options)
    : loop_(loop),
      match_(std::move(match)),
      options_(std::move(options)),
      idle_timer_(loop.context()),
      patience_timer_(loop.context()) {}

MatchHost::~MatchHost() { stop_clock(); }

base::Result<match::Participant, match::JoinError> MatchHost::join(Subscriber& subscriber,
                                                                   const match::JoinRequest& request) {
  auto participant = match_->join(request);
  if (participant.ok()) subscribe(subscriber, participant->number);
  return participant;
}

void MatchHost::watch(Subscriber& subscriber) { subscribe(subscriber, std::nullopt); }

void MatchHost::subscribe(Subscriber& subscriber, std::optional<match::ParticipantNumber> participant) {
  SWEEPD_ASSERT(!is_delivering_ && !match_->ended());
  subscriptions_.push_back({&subscriber, participant, match_->tick()});
  idle_timer_.cancel();
}

void MatchHost::leave(Subscriber& subscriber) {
  const auto it = std::ranges::find(subscriptions_, &subscriber, &Subscription::subscriber);
  SWEEPD_ASSERT(it != subscriptions_.end());
  it->subscriber = nullptr;
  // The others have yet to read the output that is being delivered, and a change to the match would end it.
  if (!is_delivering_) remove_those_who_left();
}

void MatchHost::remove_those_who_left() {
  const auto first_left = std::stable_partition(
      subscriptions_.begin(), subscriptions_.end(),
      [](const Subscription& subscription) { return subscription.subscriber != nullptr; });
  if (first_left == subscriptions_.end()) return;
  for (auto left = first_left; left != subscriptions_.end(); ++left) {
    if (left->participant) match_->leave(*left->participant);
  }
  subscriptions_.erase(first_left, subscriptions_.end());
  if (match_->ended()) return;
  if (subscriptions_.empty()) watch_idleness();
  resume_steps();  // They may have waited for one who left.
}

void MatchHost::submit(match::ParticipantNumber number, match::Frame frame) {
  match_->submit(number, std::move(frame));
  start_clock_if_ready();
  run_steps_if_due();
}

void MatchHost::refuse(match::ParticipantNumber number, match::Tick frame_tick, std::string field,
                       std::string message) {
  match_->refuse(number, frame_tick, std::move(field), std::move(message));
}

MatchState MatchHost::state() const {
  if (match_->ended()) return MatchState::kEnded;
  const bool is_waiting = match_->config().clock == match::ClockKind::kRealtime && !ticker_;
  return is_waiting ? MatchState::kWaiting : MatchState::kRunning;
}

void MatchHost::start_clock_if_ready() {
  const match::MatchConfig& config = match_->config();
  if (ticker_ || config.clock != match::ClockKind::kRealtime || match_->ended()) return;
  if (match_->ready_participants() < config.start_after_participants) return;
  ticker_ = loop_.ticks().add(config.tick_rate_hz, loop_.now(), [this] { tick(); });
}

void MatchHost::stop_clock() {
  if (ticker_) loop_.ticks().remove(*ticker_);
  ticker_.reset();
}

void MatchHost::tick() { report(match_->step(), false); }

void MatchHost::report(const match::TickOutput& output, bool is_last) {
  is_delivering_ = true;
  for (Subscription& subscription : subscriptions_) {
    const TickReport report = report_for(subscription.participant, output);
    const bool is_heartbeat_due = output.tick - subscription.last_update >= match_->config().heartbeat_ticks;
    if (!has_content(report) && !is_heartbeat_due && !is_last) continue;  // What is not sent costs nothing.
    subscription.last_update = output.tick;
    subscription.subscriber->deliver(report);
  }
  is_delivering_ = false;
  remove_those_who_left();
}

void MatchHost::step(StepId id, const StepRequest& request, StepCallback callback) {
  if (match_->config().clock != match::ClockKind::kManual) {
    callback(StepError::kClockNotManual);
    return;
  }
  if (subscriptions_.empty()) watch_idleness();
  steps_.add(id, request, std::move(callback));
  run_steps_if_due();
}

void MatchHost::run_steps_if_due() {
  if (!steps_.empty() && steps_.is_tick_due(match_->frames_are_in())) schedule_slice();
}

void MatchHost::resume_steps() {
  is_patient_ = true;
  is_waiting_for_subscribers_ = false;
  run_steps_if_due();
}

void MatchHost::schedule_slice() {
  if (std::exchange(is_slice_scheduled_, true)) return;
  loop_.post_slice([weak = weak_from_this()] {
    if (const auto self = weak.lock()) self->run_slice();
  });
}

void MatchHost::run_slice() {
  is_slice_scheduled_ = false;
  const TimePoint end = loop_.now() + kSliceDuration;
  for (int ticks = 0; ticks < kSliceTicksMax && loop_.now() < end; ++ticks) {
    if (match_->ended() || !steps_.is_tick_due(match_->frames_are_in())) return;
    if (must_wait_for_subscribers()) return;
    tick();
    steps_.count_tick({match_->tick(), match_->digest(), match_->last_sequence_number()});
  }
  run_steps_if_due();
}

// Whoever catches up, or the end of patience, resumes the steps.
bool MatchHost::must_wait_for_subscribers() {
  const bool is_any_behind = std::ranges::any_of(
      subscriptions_, [](const Subscription& subscription) { return subscription.subscriber->is_behind(); });
  if (!is_any_behind || !is_patient_) return false;
  if (std::exchange(is_waiting_for_subscribers_, true)) return true;
  patience_timer_.expires_after(kPatience);
  patience_timer_.async_wait([weak = weak_from_this()](const boost::system::error_code& error) {
    const auto self = error ? nullptr : weak.lock();
    if (!self || !self->is_waiting_for_subscribers_) return;
    self->is_patient_ = false;
    self->schedule_slice();
  });
  return true;
}

void MatchHost::watch_idleness() {
  idle_timer_.expires_after(options_.idle_timeout);
  idle_timer_.async_wait([weak = weak_from_this()](const boost::system::error_code& error) {
    const auto self = error ? nullptr : weak.lock();
    if (!self || self->match_->ended() || !self->subscriptions_.empty()) return;
    if (!self->steps_.empty()) return self->watch_idleness();
    self->end();
  });
}

void MatchHost::end() {
  SWEEPD_ASSERT(!is_delivering_ && !match_->ended());
  stop_clock();
  report(match_->end(), true);
  steps_.fail_all(StepError::kMatchEnded);
  for (const Subscription& subscription : std::exchange(subscriptions_, {})) {
    subscription.subscriber->match_ended(*this);
  }
  idle_timer_.cancel();
  patience_timer_.cancel();
  options_.on_ended();
}

}  // namespace sweepd::runtime
