// SPDX-License-Identifier: MIT
#include "runtime/loop/loop_load.h"

#include <time.h>

#include <algorithm>
#include <tuple>

#include "base/assert.h"

namespace sweepd::runtime {
namespace {

// What a match that has just been created will take of its loop, until the loop has seen it: about what a
// stage of a co-op game with four players takes.
constexpr double kNewMatchRatio = 0.004;

// Loops that are about as busy as each other get matches in turn: the difference is noise.
constexpr double kBusyStep = 0.05;

}  // namespace

Duration thread_cpu_time() {
  timespec time{};
  const int result = clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  SWEEPD_ASSERT(result == 0);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

void LoopLoad::round_begins(TimePoint now) {
  if (has_begun_ && now - window_begin_ < kWindow) return;
  if (has_begun_) close_window(now);
  has_begun_ = true;
  window_begin_ = now;
  cpu_at_begin_ = cpu_time_();
  waited_ = {};
  in_slices_ = {};
  slices_cpu_ = {};
  lateness_.clear();
}

void LoopLoad::slice_begins(TimePoint now) {
  slice_begin_ = now;
  slice_cpu_at_begin_ = cpu_time_();
}

void LoopLoad::slice_ends(TimePoint now) {
  if (now - slice_begin_ > kSliceMax) return;
  in_slices_ += now - slice_begin_;
  slices_cpu_ += cpu_time_() - slice_cpu_at_begin_;
}

void LoopLoad::close_window(TimePoint now) {
  const auto seconds = [](Duration time) { return std::chrono::duration<double>(time).count(); };
  const double passed = seconds(now - window_begin_);
  const double not_waiting = 1 - seconds(waited_) / passed;
  const double on_a_core = seconds(cpu_time_() - cpu_at_begin_) / passed;
  const double busy = std::max(not_waiting - seconds(in_slices_) / passed,  //
                               on_a_core - seconds(slices_cpu_) / passed);
  LoadReading reading{.busy_ratio = std::clamp(busy, 0.0, 1.0), .lateness_p99 = lateness_.percentile(99)};
  windows_over_ = is_over(reading, std::max(not_waiting, on_a_core)) ? windows_over_ + 1 : 0;
  reading.is_overloaded = windows_over_ >= kWindowsOver;
  {
    const std::scoped_lock lock(mutex_);
    reading.windows = reading_.windows + 1;
    reading_ = reading;
  }
  if (on_reading_) on_reading_(reading);
}

bool LoopLoad::is_over(const LoadReading& reading, double busy_ratio_with_slices) const {
  if (reading.busy_ratio * 100 > limits_.busy_percent_max) return true;
  if (limits_.lateness_max == Duration::zero() || busy_ratio_with_slices < kIdleRatio) return false;
  return reading.lateness_p99 > limits_.lateness_max;
}

LoadReading LoopLoad::reading() const {
  const std::scoped_lock lock(mutex_);
  return reading_;
}

std::size_t least_loaded(std::span<const LoadReading> loads, std::span<const std::size_t> matches,
                         std::span<const std::size_t> new_matches) {
  SWEEPD_ASSERT(!loads.empty() && loads.size() == matches.size() && loads.size() == new_matches.size());
  const auto rank = [&](std::size_t loop) {
    const double busy = loads[loop].busy_ratio + kNewMatchRatio * static_cast<double>(new_matches[loop]);
    return std::tuple(loads[loop].is_overloaded, static_cast<int>(busy / kBusyStep), matches[loop]);
  };
  std::size_t best = 0;
  for (std::size_t loop = 1; loop < loads.size(); ++loop) {
    if (rank(loop) < rank(best)) best = loop;
  }
  return best;
}

}  // namespace sweepd::runtime
