// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>

namespace sweepd::runtime {

/// Monotonic: it never jumps when somebody sets the time of day.
using Clock = std::chrono::steady_clock;
using TimePoint = Clock::time_point;
using Duration = Clock::duration;

}  // namespace sweepd::runtime
