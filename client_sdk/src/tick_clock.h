// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <deque>

#include "sweepd/types.h"

namespace sweepd::internal {

/// Estimates which tick's update would arrive now, by when those before arrived: as the fastest of late did.
/// It runs evenly and does not go back; what it is off it makes good by running a tenth faster or slower. It
/// stands before the first tick, which waits for participants, and once nothing has come for kWindow. After a
/// pause it goes on from where it stood.
class TickClock {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;
  static constexpr std::chrono::seconds kWindow{4};
  /// Farther ahead it jumps: the stream stood still, or is new.
  static constexpr std::chrono::duration<double> kJump{1.0 / 3};
  static constexpr double kSlew = 0.1;
  static constexpr double kRateMax = 1e6;  ///< No server has more.

  /// Ticks a second; 0: it stands still.
  void set_rate(double rate, TimePoint now);
  /// An update of that tick has come.
  void note(Tick tick, TimePoint at);
  /// Time goes on.
  void advance(TimePoint now);
  double tick() const { return tick_; }

 private:
  struct Arrival {
    Tick tick;
    TimePoint at;
  };
  double target(TimePoint now) const;
  bool stood_still(TimePoint until) const;
  void go_on(TimePoint now);

  double rate_ = 0;
  double running_rate_ = 0;       ///< The last that was not 0.
  std::deque<Arrival> arrivals_;  ///< Of the window.
  TimePoint now_ = {};
  double tick_ = 0;
  bool has_begun_ = false;
};

}  // namespace sweepd::internal
