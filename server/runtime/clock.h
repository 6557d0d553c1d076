// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <functional>

namespace sweepd::runtime {

/// Monotonic: wall time may jump, ticks may not.
using TimePoint = std::chrono::steady_clock::time_point;
using Duration = std::chrono::steady_clock::duration;

/// Tells the time. Tests give their own.
using Clock = std::function<TimePoint()>;

inline TimePoint steady_now() { return std::chrono::steady_clock::now(); }

}  // namespace sweepd::runtime
