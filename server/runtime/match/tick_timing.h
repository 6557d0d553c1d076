// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "runtime/clock.h"
#include "runtime/telemetry/time_histogram.h"

namespace sweepd::runtime {

/// How a match's ticks kept time, over its last ten to twenty seconds that were no pause, but where it says
/// otherwise. All 0 before the first tick.
struct TickTimes {
  double achieved_rate_hz = 0;  ///< Ticks that ran, by the time that passed until the last one began.
  Duration lateness_p50{};      ///< From when a tick was due until it began. Percentiles to within an eighth.
  Duration lateness_p99{};
  Duration lateness_max{};
  Duration duration_p50{};  ///< Of ticks, with what its subscribers were told.
  Duration duration_p99{};
  std::uint64_t ticks_skipped = 0;  ///< Of all the match's time here.
};

/// Measures how a match's ticks keep time, in about a kilobyte and without asking the heap for any. On the
/// match's loop.
class TickTiming {
 public:
  /// Of this length are two windows: one that fills, and the one before it. Pauses do not count.
  static constexpr Duration kWindow = std::chrono::seconds(10);

  struct Tick {
    TimePoint due;
    TimePoint begin;
    TimePoint end;
    std::uint64_t skipped = 0;  ///< Ticks, since the one before.
  };
  void tick_has_run(const Tick& tick);

  /// The clock begins to run, or goes on after a pause, at so many ticks a second: what was before the next
  /// tick's own interval is not the match's time.
  void clock_runs(std::uint32_t rate_hz);
  /// So many from now on. What was measured at another rate is forgotten, but for ticks_skipped.
  void set_rate(std::uint32_t rate_hz);

  TickTimes times() const;
  /// The share of that time which its ticks took. Cheaper than all of `times`.
  double busy_ratio() const;

 private:
  struct Window {
    TimeHistogram lateness;
    TimeHistogram duration;
    Duration lateness_max{};
    Duration time{};      ///< That passed in it,
    Duration in_ticks{};  ///< and that its ticks took.
    std::uint32_t ticks = 0;
  };

  Window filling_;
  Window last_;
  std::uint64_t ticks_skipped_ = 0;
  Duration interval_{};
  TimePoint last_begin_;
  bool is_new_run_ = true;  ///< There is no tick that the next one follows.
};

}  // namespace sweepd::runtime
