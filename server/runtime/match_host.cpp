// SPDX-License-Identifier: MIT
#include "runtime/match_host.h"

#include <algorithm>
#include <utility>

#include "base/assert.h"

namespace sweepd::runtime {
namespace {

// Many ticks that can run at once, as in a long step, share the loop with matches whose ticks are due.
constexpr Duration kSliceDuration = std::chrono::milliseconds(1);
constexpr int kSliceTicksMax = 256;

// Such ticks can run faster than anybody reads. They wait for their readers, but not for ever for one that
// has stopped.
constexpr Duration kPatience = std::chrono::seconds(1);

TickReport report_for(std::optional<match::ParticipantNumber> participant, const match::TickOutput& output) {
  TickReport report{output.tick, output.digest,       output.events,           {},
                    0,           output.destructions, output.late_participants};
  report.scores = output.scores;
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
  return !report.events.empty() || !report.destructions.empty() || !report.scores.empty() ||
         !report.rejections.empty() || report.rejections_not_listed > 0 ||
         !report.late_participants.empty() || report.clock;
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
      clock_(loop, match_->config(), [this] { tick_by_time(); }),
      idle_timer_(loop.context()),
      patience_timer_(loop.context()) {}

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
  resume_ticks();  // They may have waited for one who left.
}

void MatchHost::submit(match::ParticipantNumber number, match::Frame frame) {
  const bool is_taken = !match_->submit(number, std::move(frame));
  if (!is_taken) return report_refusals_if_paused();
  start_clock_if_ready();
  run_ticks_if_due();
}

void MatchHost::refuse(match::ParticipantNumber number, match::RejectionReason reason, match::Tick frame_tick,
                       std::string field, std::string message) {
  match_->refuse(number, reason, frame_tick, std::move(field), std::move(message));
  report_refusals_if_paused();
}

// They would wait for a tick that may be long in coming.
void MatchHost::report_refusals_if_paused() {
  if (clock_.state().is_paused && !match_->ended()) report(match_->report_refusals(), false);
}

void MatchHost::control_clock(const ClockControl& control) {
  SWEEPD_ASSERT(!is_delivering_ && !match_->ended());
  if (!clock_.control(control)) return;
  if (clock_.state().is_paused) steps_.fail_all(StepError::kMatchPaused);
  report(match_->report_refusals(), false, clock_.state());
  run_ticks_if_due();
}

void MatchHost::control_clock(match::ParticipantNumber number, const ClockControl& control) {
  const auto participant = match_->find_participant(number);
  SWEEPD_ASSERT(participant);
  if (participant->is_any_of(match_->config().clock_control_roles)) return control_clock(control);
  refuse(number, match::RejectionReason::kMayNotControl, 0, "clock_control",
         "the participant's role may not control the clock (clock_control_roles)");
}

MatchState MatchHost::state() const {
  if (match_->ended()) return MatchState::kEnded;
  if (clock_.state().is_paused) return MatchState::kPaused;
  const bool can_wait = match_->config().clock != match::ClockKind::kManual;
  return can_wait && !clock_.has_started() ? MatchState::kWaiting : MatchState::kRunning;
}

void MatchHost::start_clock_if_ready() {
  const match::MatchConfig& config = match_->config();
  if (clock_.has_started() || config.clock == match::ClockKind::kManual || match_->ended()) return;
  if (match_->ready_participants() >= config.start_after_participants) clock_.start();
}

void MatchHost::tick() {
  report(match_->step(), false);
  clock_.tick_has_run();
}

void MatchHost::tick_by_time() {
  tick();
  run_ticks_if_due();  // In LOCKSTEP, the frames for the next ones may be in.
}

void MatchHost::report(const match::TickOutput& output, bool is_last, std::optional<ClockState> clock) {
  is_delivering_ = true;
  for (Subscription& subscription : subscriptions_) {
    TickReport report = report_for(subscription.participant, output);
    report.clock = clock;
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
  if (clock_.state().is_paused) {
    callback(StepError::kMatchPaused);
    return;
  }
  if (subscriptions_.empty()) watch_idleness();
  steps_.add(id, request, std::move(callback));
  run_ticks_if_due();
}

bool MatchHost::is_tick_due() const {
  if (clock_.state().is_paused || match_->ended()) return false;
  switch (match_->config().clock) {
    case match::ClockKind::kManual:
      return !steps_.empty() && steps_.is_tick_due(match_->frames_are_in());
    case match::ClockKind::kLockstep:
      return clock_.has_started() && match_->frames_are_in();
    case match::ClockKind::kRealtime:
      break;
  }
  return false;
}

void MatchHost::run_ticks_if_due() {
  if (is_tick_due()) schedule_slice();
}

void MatchHost::resume_ticks() {
  is_patient_ = true;
  is_waiting_for_subscribers_ = false;
  run_ticks_if_due();
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
    if (!is_tick_due() || must_wait_for_subscribers()) return;
    tick();
    if (steps_.empty()) continue;  // A LOCKSTEP tick is nobody's step.
    steps_.count_tick({match_->tick(), match_->digest(), match_->last_sequence_number()});
  }
  run_ticks_if_due();
}

// Whoever catches up, the end of patience, or a deadline lets them run again.
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
  clock_.stop();
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
