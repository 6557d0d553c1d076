// SPDX-License-Identifier: MIT
#include "runtime/match/match_clock.h"

#include "base/assert.h"

namespace sweepd::runtime {

using match::ClockKind;

MatchClock::MatchClock(Loop& loop, const match::MatchConfig& config, std::function<void()> on_due,
                       std::function<void()> before_due)
    : loop_(&loop),
      kind_(config.clock),
      deadline_(std::chrono::milliseconds(config.lockstep.deadline_ms)),
      on_due_(std::move(on_due)),
      before_due_(std::move(before_due)),
      state_{.is_paused = false, .tick_rate_hz = config.tick_rate_hz} {}

void MatchClock::start() {
  SWEEPD_ASSERT(!has_started_);
  has_started_ = true;
  if (!state_.is_paused) run();
}

void MatchClock::stop() {
  stand_still();
  has_started_ = false;
}

bool MatchClock::control(const ClockControl& control) {
  const ClockState before = state_;
  if (control.tick_rate_hz) state_.tick_rate_hz = *control.tick_rate_hz;
  if (control.is_paused) state_.is_paused = *control.is_paused;
  if (state_ == before) return false;
  if (kind_ == ClockKind::kRealtime && ticker_) {
    loop_->ticks().set_rate(*ticker_, state_.tick_rate_hz, loop_->now());
  }
  if (state_.tick_rate_hz != before.tick_rate_hz) timing_.set_rate(state_.tick_rate_hz);
  if (state_.is_paused && !before.is_paused) stand_still();
  if (!state_.is_paused && before.is_paused && has_started_) run();
  return true;
}

void MatchClock::move_to(Loop& loop) {
  if (ticker_) ticker_ = loop_->ticks().move(*ticker_, loop.ticks());
  loop_ = &loop;
}

void MatchClock::tick_has_run() {
  if (kind_ == ClockKind::kLockstep && ticker_) set_deadline();
}

// A ticker that is added anew has nothing to make up for.
void MatchClock::run() {
  SWEEPD_ASSERT(!ticker_);
  if (kind_ == ClockKind::kRealtime) {
    timing_.clock_runs(state_.tick_rate_hz);
    ticker_ = loop_->ticks().add(
        state_.tick_rate_hz, loop_->now(), [this] { run_realtime_tick(); }, before_due_);
  } else if (kind_ == ClockKind::kLockstep) {
    ticker_ = loop_->ticks().add_alarm(on_due_);
    set_deadline();
  }
}

void MatchClock::run_realtime_tick() {
  const DueTick tick = loop_->ticks().running();
  const TimePoint begin = loop_->now();
  loop_->load().tick_begins(begin - tick.due);
  on_due_();
  loop_->figures().ticks_skipped.add(tick.skipped);
  timing_.tick_has_run({tick.due, begin, loop_->now(), tick.skipped});
}

void MatchClock::stand_still() {
  if (ticker_) loop_->ticks().remove(*ticker_);
  ticker_.reset();
}

void MatchClock::set_deadline() { loop_->ticks().set_alarm(*ticker_, loop_->now() + deadline_); }

}  // namespace sweepd::runtime
