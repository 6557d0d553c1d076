// SPDX-License-Identifier: MIT
#include "runtime/match/match_load.h"

#include <algorithm>
#include <utility>

namespace sweepd::runtime {

bool MatchLoad::took(TimePoint begin, TimePoint end) {
  if (!std::exchange(has_begun_, true)) window_begin_ = begin;
  in_ticks_ += end - begin;
  const Duration passed = end - window_begin_;
  if (passed < kWindow) return false;
  window_ = passed;
  busy_ratio_ = std::chrono::duration<double>(in_ticks_) / std::chrono::duration<double>(passed);
  in_ticks_ = {};
  window_begin_ = end;
  return true;
}

bool MatchLoad::is_too_much(const LoadLimits& limits, bool is_loop_overloaded) {
  const bool is_over = is_loop_overloaded && busy_ratio_ * 100 > limits.match_percent_max;
  over_ = is_over ? over_ + window_ : Duration{};
  return over_ >= limits.match_time_max;
}

}  // namespace sweepd::runtime
