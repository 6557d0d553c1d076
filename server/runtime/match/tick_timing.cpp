// SPDX-License-Identifier: MIT
#include "runtime/match/tick_timing.h"

#include <algorithm>

#include "base/assert.h"

namespace sweepd::runtime {

void TickTiming::clock_runs(std::uint32_t rate_hz) {
  SWEEPD_ASSERT(rate_hz > 0);
  interval_ = std::chrono::nanoseconds(std::chrono::seconds(1)) / rate_hz;
  is_new_run_ = true;
}

void TickTiming::set_rate(std::uint32_t rate_hz) {
  filling_ = {};
  last_ = {};
  clock_runs(rate_hz);
}

void TickTiming::tick_has_run(const Tick& tick) {
  if (filling_.time >= kWindow) {
    last_ = filling_;
    filling_ = {};
  }
  const TimePoint before = is_new_run_ ? std::min(tick.due, tick.begin) - interval_ : last_begin_;
  const Duration lateness = std::max(tick.begin - tick.due, Duration::zero());
  // A server that stood still for hours has spoilt one window, and not all that is measured in the hours
  // after.
  filling_.time += std::clamp<Duration>(tick.begin - before, Duration::zero(), kWindow);
  filling_.lateness.add(lateness);
  filling_.lateness_max = std::max(filling_.lateness_max, lateness);
  filling_.duration.add(tick.end - tick.begin);
  filling_.in_ticks += tick.end - tick.begin;
  ++filling_.ticks;
  ticks_skipped_ += tick.skipped;
  last_begin_ = tick.begin;
  is_new_run_ = false;
}

double TickTiming::busy_ratio() const {
  const std::chrono::duration<double> time = last_.time + filling_.time;
  const std::chrono::duration<double> in_ticks = last_.in_ticks + filling_.in_ticks;
  return time.count() > 0 ? in_ticks / time : 0;
}

TickTimes TickTiming::times() const {
  TimeHistogram lateness = last_.lateness;
  lateness.add(filling_.lateness);
  TimeHistogram duration = last_.duration;
  duration.add(filling_.duration);
  const double seconds = std::chrono::duration<double>(last_.time + filling_.time).count();
  return {.achieved_rate_hz = seconds > 0 ? (last_.ticks + filling_.ticks) / seconds : 0,
          .lateness_p50 = lateness.percentile(50),
          .lateness_p99 = lateness.percentile(99),
          .lateness_max = std::max(last_.lateness_max, filling_.lateness_max),
          .duration_p50 = duration.percentile(50),
          .duration_p99 = duration.percentile(99),
          .ticks_skipped = ticks_skipped_};
}

}  // namespace sweepd::runtime
