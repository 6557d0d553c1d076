// SPDX-License-Identifier: MIT
#include "runtime/match/tick_pacer.h"

#include <chrono>
#include <utility>

namespace sweepd::runtime {
namespace {

// Many ticks that can run at once, as in a long step, share the loop with matches whose ticks are due.
constexpr Duration kSliceDuration = std::chrono::milliseconds(1);
constexpr int kSliceTicksMax = 256;

// Steps can run faster than any subscriber reads. They wait for readers, but only so long for one that has
// stopped.
constexpr Duration kSubscriberPatience = std::chrono::seconds(1);

// They can run faster than the disk takes them, too.
constexpr Duration kJournalPause = std::chrono::milliseconds(5);

}  // namespace

TickPacer::TickPacer(Loop& loop, const match::Match& match, const MatchClock& clock, Callbacks callbacks)
    : loop_(&loop),
      match_(match),
      clock_(clock),
      callbacks_(std::move(callbacks)),
      patience_timer_(loop),
      journal_timer_(loop) {}

std::optional<StepError> TickPacer::find_step_error() const {
  if (match_.config().clock != match::ClockKind::kManual) return StepError::kClockNotManual;
  if (clock_.state().is_paused) return StepError::kMatchPaused;
  return std::nullopt;
}

void TickPacer::step(StepId id, const StepRequest& request, StepCallback callback) {
  steps_.add(id, request, std::move(callback));
  run_ticks_if_due();
}

bool TickPacer::is_tick_due() const {
  if (clock_.state().is_paused || match_.ended()) return false;
  switch (match_.config().clock) {
    case match::ClockKind::kManual:
      return !steps_.empty() && steps_.is_tick_due(match_.frames_are_in());
    case match::ClockKind::kLockstep:
      return clock_.has_started() && match_.frames_are_in();
    case match::ClockKind::kRealtime:
      break;
  }
  return false;
}

void TickPacer::run_ticks_if_due() {
  if (is_tick_due()) schedule_slice();
}

void TickPacer::resume_ticks() {
  is_patient_ = true;
  is_waiting_for_subscribers_ = false;
  run_ticks_if_due();
}

void TickPacer::schedule_slice() {
  if (std::exchange(is_slice_scheduled_, true)) return;
  // Players wait for the ticks of a LOCKSTEP match.
  const bool is_load = match_.config().clock == match::ClockKind::kLockstep;
  loop_->post_slice(slices_.bind([this] { run_slice(); }), is_load);
}

void TickPacer::run_slice() {
  is_slice_scheduled_ = false;
  const TimePoint end = loop_->now() + kSliceDuration;
  for (int ticks = 0; ticks < kSliceTicksMax && loop_->now() < end; ++ticks) {
    if (!is_tick_due() || !callbacks_.are_all_told()) return;
    if (must_wait_for_subscribers() || must_wait_for_journal()) return;
    run_tick();
  }
  run_ticks_if_due();
}

void TickPacer::run_tick() {
  callbacks_.run_tick();
  if (steps_.empty()) return;  // In LOCKSTEP there are none.
  steps_.count_tick({match_.tick(), match_.digest(), match_.last_sequence_number()});
}

// In LOCKSTEP the players set the pace, and no watcher may hold them up.
bool TickPacer::must_wait_for_subscribers() {
  if (match_.config().clock != match::ClockKind::kManual) return false;
  if (!callbacks_.is_any_subscriber_behind() || !is_patient_) return false;
  if (std::exchange(is_waiting_for_subscribers_, true)) return true;
  patience_timer_.start(kSubscriberPatience, [this] { lose_patience(); });
  return true;
}

void TickPacer::lose_patience() {
  if (!is_waiting_for_subscribers_) return;
  is_patient_ = false;
  schedule_slice();
}

// In LOCKSTEP the journal says what it cannot take.
bool TickPacer::must_wait_for_journal() {
  if (match_.config().clock != match::ClockKind::kManual || !callbacks_.is_journal_full()) return false;
  if (std::exchange(is_waiting_for_journal_, true)) return true;
  journal_timer_.start(kJournalPause, [this] {
    is_waiting_for_journal_ = false;
    run_ticks_if_due();
  });
  return true;
}

void TickPacer::end() {
  steps_.fail_all(StepError::kMatchEnded);
  patience_timer_.cancel();
  journal_timer_.cancel();
}

void TickPacer::move_to(Loop& loop) {
  slices_.revoke();
  loop_ = &loop;
  patience_timer_.move_to(loop);
  journal_timer_.move_to(loop);
  if (std::exchange(is_slice_scheduled_, false)) schedule_slice();
}

}  // namespace sweepd::runtime
