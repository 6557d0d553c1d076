// SPDX-License-Identifier: MIT
#include "runtime/match/start_gate.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace sweepd::runtime {
namespace {

/// An observer steers nothing.
bool is_awaited(const match::Participant& participant) {
  return participant.is_away && participant.role != match::Role::kObserver;
}

}  // namespace

StartGate::StartGate(Loop& loop, const match::Match& match)
    : match_(match), start_timer_(loop), return_timer_(loop) {}

void StartGate::begin(bool is_back, std::function<void(match::StartTimeout)> on_timeout) {
  const match::MatchConfig& config = match_.config();
  if (config.clock == match::ClockKind::kManual || match_.ended()) return;
  on_timeout_ = std::move(on_timeout);
  if (!are_enough_ready() && config.waits.start_timeout_ms > 0) {
    start_timer_.start(std::chrono::milliseconds(config.waits.start_timeout_ms),
                       [this] { start_timed_out(); });
  }
  if (!is_back || config.waits.return_timeout_ms == 0) return;
  awaits_returns_ = true;
  return_timer_.start(std::chrono::milliseconds(config.waits.return_timeout_ms),
                      [this] { return_timed_out(); });
}

// A match whose ticks have run has begun, also when participants have left it since.
bool StartGate::are_enough_ready() const {
  return is_start_overdue_ || match_.tick() > 0 ||
         match_.ready_participants() >= match_.config().start_after_participants;
}

bool StartGate::are_all_back() const {
  return !awaits_returns_ || std::ranges::none_of(match_.participants(), is_awaited);
}

void StartGate::start_timed_out() {
  if (are_enough_ready()) return;
  is_start_overdue_ = true;
  on_timeout_(match_.config().waits.on_start_timeout);
}

void StartGate::return_timed_out() {
  awaits_returns_ = false;
  on_timeout_(match::StartTimeout::kStart);
}

void StartGate::cancel() {
  start_timer_.cancel();
  return_timer_.cancel();
}

void StartGate::move_to(Loop& loop) {
  start_timer_.move_to(loop);
  return_timer_.move_to(loop);
}

}  // namespace sweepd::runtime
