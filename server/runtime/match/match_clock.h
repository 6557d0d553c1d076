// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "match/config.h"
#include "runtime/loop/loop.h"
#include "runtime/match/tick_timing.h"

namespace sweepd::runtime {

/// A match's clock as it is now.
struct ClockState {
  bool is_paused = false;
  std::uint32_t tick_rate_hz = 0;
  friend bool operator==(const ClockState&, const ClockState&) = default;
};

/// What is to change; what is absent stays.
struct ClockControl {
  std::optional<bool> is_paused = {};
  std::optional<std::uint32_t> tick_rate_hz = {};  ///< In match::kTickRateRangeHz.
};

/// Makes a match's ticks due by time: with a REALTIME clock every one, with LOCKSTEP those whose deadline has
/// passed, with MANUAL none. Nothing is due before the start, while paused, and after the stop.
class MatchClock {
 public:
  /// `on_due` is to run one tick, and then to call tick_has_run. `before_due` comes before the REALTIME ticks
  /// that are due at once, and may do with the clock whatever it likes.
  MatchClock(Loop& loop, const match::MatchConfig& config, std::function<void()> on_due,
             std::function<void()> before_due = {});
  ~MatchClock() { stop(); }
  MatchClock(const MatchClock&) = delete;
  MatchClock& operator=(const MatchClock&) = delete;

  /// Once. A clock that is paused begins to run when it is resumed.
  void start();
  void stop();

  /// Whether that changed anything.
  bool control(const ClockControl& control);

  /// What is due is due on another loop from now on, and at the same time. Not from within a tick.
  void move_to(Loop& loop);

  /// A tick has run, for whatever reason: the next one's deadline counts from now.
  void tick_has_run();

  bool has_started() const { return has_started_; }
  const ClockState& state() const { return state_; }
  /// Of a REALTIME clock. A tick counts as soon as it has run.
  const TickTiming& timing() const { return timing_; }

 private:
  void run();
  void run_realtime_tick();
  void stand_still();
  void set_deadline();

  Loop* loop_;
  const match::ClockKind kind_;
  const Duration deadline_;
  const std::function<void()> on_due_;
  const std::function<void()> before_due_;
  ClockState state_;
  TickTiming timing_;
  bool has_started_ = false;
  std::optional<TickerId> ticker_;  ///< While it runs, and ticks can be due by time.
};

}  // namespace sweepd::runtime
