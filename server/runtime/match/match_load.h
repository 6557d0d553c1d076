// SPDX-License-Identifier: MIT
#pragma once

#include "runtime/loop/loop_load.h"

namespace sweepd::runtime {

/// What share of its loop's time a match takes, with any clock, and for how long that has been too much.
/// On the match's loop.
class MatchLoad {
 public:
  /// At least; as long as a tick that takes longer.
  static constexpr Duration kWindow = std::chrono::seconds(1);

  /// A tick has run. True: a window is over.
  bool took(TimePoint begin, TimePoint end);
  /// After each window: whether the match has taken more than it may of an overloaded loop for so long that
  /// it has to end.
  bool is_too_much(const LoadLimits& limits, bool is_loop_overloaded);
  /// Of the last window.
  double busy_ratio() const { return busy_ratio_; }

 private:
  bool has_begun_ = false;
  TimePoint window_begin_;
  Duration in_ticks_{};
  Duration window_{};  ///< The last one,
  double busy_ratio_ = 0;
  Duration over_{};  ///< and how long all have been too much, it included.
};

}  // namespace sweepd::runtime
