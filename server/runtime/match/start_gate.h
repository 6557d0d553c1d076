// SPDX-License-Identifier: MIT
#pragma once

#include <functional>

#include "match/match.h"
#include "runtime/loop/loop.h"
#include "runtime/loop/loop_timer.h"

namespace sweepd::runtime {

/// Whether the clock of a match may start: enough participants are ready and, after a restart of the server,
/// the players and stages that had seats are back. How long it waits for either, ClockWaits says. Time counts
/// for nothing else: a match does not learn how long it waited. On the match's loop.
class StartGate {
 public:
  StartGate(Loop& loop, const match::Match& match);
  StartGate(const StartGate&) = delete;
  StartGate& operator=(const StartGate&) = delete;

  /// Once. `is_back`: from the journal; its participants are set away before the gate is asked. `on_timeout`
  /// is called when the time of either wait is over in vain; for start_after_participants it says what
  /// becomes of the match.
  void begin(bool is_back, std::function<void(match::StartTimeout)> on_timeout);

  /// A MANUAL clock waits for nothing.
  bool is_open() const { return are_enough_ready() && are_all_back(); }

  /// The clock runs, or never will.
  void cancel();
  void move_to(Loop& loop);

 private:
  bool are_enough_ready() const;
  bool are_all_back() const;
  void start_timed_out();
  void return_timed_out();

  const match::Match& match_;
  LoopTimer start_timer_;
  LoopTimer return_timer_;
  bool is_start_overdue_ = false;
  bool awaits_returns_ = false;
  std::function<void(match::StartTimeout)> on_timeout_;
};

}  // namespace sweepd::runtime
