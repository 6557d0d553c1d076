// SPDX-License-Identifier: MIT
#include "runtime/match_host.h"

#include <algorithm>
#include <utility>

#include "base/assert.h"

namespace sweepd::runtime {
namespace {

/// A long step gives way to the loop's other work after this many ticks.
constexpr std::uint32_t kStepSliceTicks = 64;

}  // namespace

MatchHost::MatchHost(Loop& loop, std::unique_ptr<match::Match> match, Options options, std::function<void()> on_end)
    : loop_(loop),
      match_(std::move(match)),
      options_(std::move(options)),
      on_end_(std::move(on_end)),
      idle_timer_(loop.timers()) {}

MatchHost::~MatchHost() = default;

void MatchHost::open() {
  start_clock_when_ready();
  watch_for_idleness();
}

void MatchHost::start_clock_when_ready() {
  const match::MatchConfig& config = match_->config();
  if (clock_runs_ || match_->ended() || config.clock != match::ClockKind::kRealtime) return;
  if (match_->ready_participants() < config.start_after_participants) return;
  clock_runs_ = true;
  loop_.schedule().add(*this, config.tick_rate_hz, Clock::now());
}

base::Result<match::Participant, match::JoinError> MatchHost::join(const match::JoinRequest& request) {
  return match_->join(request);
}

void MatchHost::leave(match::ParticipantNumber number) {
  match_->leave(number);
  advance_step();  // The others may be all that the step waited for.
}

void MatchHost::submit(match::ParticipantNumber number, match::Frame frame) {
  match_->submit(number, std::move(frame));
  start_clock_when_ready();
  advance_step();
}

void MatchHost::refuse(match::ParticipantNumber number, match::Tick frame_tick, std::string field,
                       std::string message) {
  match_->refuse(number, frame_tick, std::move(field), std::move(message));
}

void MatchHost::subscribe(Subscriber& subscriber, std::optional<match::ParticipantNumber> participant) {
  SWEEPD_ASSERT(!match_->ended());
  subscriptions_.push_back({&subscriber, participant, match_->tick()});
  idle_timer_.cancel();
}

void MatchHost::unsubscribe(const Subscriber& subscriber) {
  for (Subscription& subscription : subscriptions_) {
    if (subscription.subscriber == &subscriber) subscription.subscriber = nullptr;
  }
  if (!telling_) sweep_subscriptions();
}

void MatchHost::sweep_subscriptions() {
  const bool had_any = !subscriptions_.empty();
  std::erase_if(subscriptions_, [](const Subscription& each) { return each.subscriber == nullptr; });
  if (had_any && subscriptions_.empty() && !match_->ended()) watch_for_idleness();
}

void MatchHost::watch_for_idleness() {
  idle_timer_.expires_after(options_.idle_timeout);
  idle_timer_.async_wait([weak = weak_from_this()](const boost::system::error_code& cancelled) {
    const auto host = weak.lock();
    if (cancelled || !host || host->match_->ended() || !host->subscriptions_.empty()) return;
    host->end();
  });
}

void MatchHost::run_tick() { tell(match_->step()); }

void MatchHost::tell(const match::TickOutput& output) {
  telling_ = true;
  // By index: a subscriber may bring another one in during its call.
  for (std::size_t i = 0; i < subscriptions_.size(); ++i) tell_one(subscriptions_[i], output);
  telling_ = false;
  sweep_subscriptions();
}

void MatchHost::tell_one(Subscription& subscription, const match::TickOutput& output) {
  if (subscription.subscriber == nullptr) return;
  TickReport report{output.tick, output.digest, output.events, {}, 0};
  if (subscription.participant) {
    const auto own = std::ranges::equal_range(output.rejections, *subscription.participant, {},
                                              &match::Rejection::participant);
    report.rejections = {own.begin(), own.end()};
    for (const auto& [number, count] : output.rejections_not_listed) {
      if (number == *subscription.participant) report.rejections_not_listed = count;
    }
  }
  const bool heartbeat_due = output.tick - subscription.told_tick >= match_->config().heartbeat_ticks;
  if (report.events.empty() && report.rejections.empty() && report.rejections_not_listed == 0 && !heartbeat_due &&
      !match_->ended()) {
    return;
  }
  subscription.told_tick = output.tick;
  subscription.subscriber->on_tick(report);
}

void MatchHost::step(std::uint32_t ticks, bool wait_for_frames, const void* requester,
                     std::function<void(StepOutcome)> done) {
  SWEEPD_ASSERT(!step_ && !match_->ended() && match_->config().clock == match::ClockKind::kManual);
  step_ = Step{ticks, wait_for_frames, requester, std::move(done)};
  advance_step();
}

void MatchHost::advance_step() {
  if (!step_ || step_is_posted_ || telling_) return;
  for (std::uint32_t ran = 0; step_->ticks_left > 0; ++ran) {
    if (step_->wait_for_frames && !match_->frames_are_in()) return;
    if (ran == kStepSliceTicks) {
      step_is_posted_ = true;
      loop_.post([self = shared_from_this()] {
        self->step_is_posted_ = false;
        self->advance_step();
      });
      return;
    }
    --step_->ticks_left;
    run_tick();
  }
  finish_step(StepOutcome::kDone);
}

void MatchHost::finish_step(StepOutcome outcome) {
  SWEEPD_ASSERT(step_.has_value());
  const auto done = std::move(step_->done);
  step_.reset();
  done(outcome);
}

void MatchHost::cancel_step(const void* requester) {
  if (step_ && step_->requester == requester) finish_step(StepOutcome::kCancelled);
}

void MatchHost::end() {
  SWEEPD_ASSERT(!match_->ended());
  const auto self = shared_from_this();
  if (clock_runs_) loop_.schedule().remove(*this);
  clock_runs_ = false;
  idle_timer_.cancel();
  tell(match_->end());
  if (step_) finish_step(StepOutcome::kMatchEnded);
  telling_ = true;
  for (std::size_t i = 0; i < subscriptions_.size(); ++i) {
    if (subscriptions_[i].subscriber != nullptr) subscriptions_[i].subscriber->on_ended();
  }
  telling_ = false;
  subscriptions_.clear();
  on_end_();
}

}  // namespace sweepd::runtime
