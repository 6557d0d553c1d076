// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <deque>
#include <vector>

#include "sweepd/ids.h"
#include "tick_number.h"

namespace sweepd::internal {

/// How far ahead of what has been heard of frames have to be, by how those before came in.
class LeadEstimate {
 public:
  static constexpr std::size_t kFramesMax = 64;
  static constexpr std::size_t kFramesMin = 8;

  /// A frame came so many ticks after the last one that had been heard of when it was sent.
  void note(Tick lag) {
    lags_.push_back(lag);
    if (lags_.size() > kFramesMax) lags_.pop_front();
  }

  /// `measured_ticks`: what there is to go by before enough frames have come. In time would have been 95 of
  /// 100.
  Tick lead(double measured_ticks) const {
    if (lags_.size() < kFramesMin) return 1 + to_tick(std::ceil(measured_ticks));
    std::vector<Tick> sorted(lags_.begin(), lags_.end());
    std::ranges::sort(sorted);
    return std::max<Tick>(sorted[(sorted.size() * 95 - 1) / 100], 1);
  }

 private:
  std::deque<Tick> lags_;
};

}  // namespace sweepd::internal
