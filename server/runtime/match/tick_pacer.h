// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <optional>

#include "match/match.h"
#include "runtime/loop/callback_guard.h"
#include "runtime/loop/loop.h"
#include "runtime/loop/loop_timer.h"
#include "runtime/match/match_clock.h"
#include "runtime/match/step_queue.h"

namespace sweepd::runtime {

/// Runs the ticks of a match that no time makes due, as soon as they can: those of steps (MANUAL) and those
/// for which all frames are in (LOCKSTEP; MatchClock has their deadlines). They run in slices, beside which
/// other matches of the loop keep time, and none before all have been told of the one before. Steps are held
/// back by subscribers that are behind, for as long as its patience lasts, and by a journal that is full;
/// LOCKSTEP by neither. On the match's loop.
class TickPacer {
 public:
  struct Callbacks {
    std::function<void()> run_tick;  ///< May end the match.
    /// Of the tick before. If not, run_ticks_if_due is called once they are.
    std::function<bool()> are_all_told;
    std::function<bool()> is_any_subscriber_behind;
    std::function<bool()> is_journal_full;
  };

  /// `match` and `clock` must outlive it.
  TickPacer(Loop& loop, const match::Match& match, const MatchClock& clock, Callbacks callbacks);
  TickPacer(const TickPacer&) = delete;
  TickPacer& operator=(const TickPacer&) = delete;

  /// Why no step can be taken now; nothing: `step` may be called.
  std::optional<StepError> find_step_error() const;
  /// As StepQueue::add.
  void step(StepId id, const StepRequest& request, StepCallback callback);
  void cancel_step(StepId id) { steps_.cancel(id); }
  void fail_steps(StepError error) { steps_.fail_all(error); }
  bool has_steps() const { return !steps_.empty(); }

  /// What a tick waits for may have come: a frame, a start, the end of a pause.
  void run_ticks_if_due();

  /// A subscriber that was behind has caught up or left: patience with the others begins anew.
  void resume_ticks();

  /// The match has ended.
  void end();

  /// Ticks that are due run there. Not from within a tick.
  void move_to(Loop& loop);

 private:
  bool is_tick_due() const;
  void schedule_slice();
  void run_slice();
  void run_tick();
  bool must_wait_for_subscribers();
  void lose_patience();
  bool must_wait_for_journal();

  Loop* loop_;
  const match::Match& match_;
  const MatchClock& clock_;
  const Callbacks callbacks_;
  StepQueue steps_;
  CallbackGuard slices_;  ///< Posted to the loop.
  bool is_slice_scheduled_ = false;
  LoopTimer patience_timer_;
  bool is_patient_ = true;
  bool is_waiting_for_subscribers_ = false;
  LoopTimer journal_timer_;
  bool is_waiting_for_journal_ = false;
};

}  // namespace sweepd::runtime
