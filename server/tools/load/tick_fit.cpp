// SPDX-License-Identifier: MIT
#include "tools/load/tick_fit.h"

#include <algorithm>

namespace sweepd::tools::load {
namespace {

constexpr std::int64_t kNanosecondsPerSecond = 1'000'000'000;
// Thirty years: a tick that is later is none, and has no time that can be computed with.
constexpr std::uint64_t kSecondsMax = 1'000'000'000;

}  // namespace

Duration TickFit::since_origin(std::uint64_t tick) const {
  const auto ticks = static_cast<std::int64_t>(std::min(tick, kSecondsMax * rate_hz_));
  return Duration(ticks / rate_hz_ * kNanosecondsPerSecond +
                  ticks % rate_hz_ * kNanosecondsPerSecond / rate_hz_);
}

Duration TickFit::observe(std::uint64_t tick, TimePoint arrival) {
  const TimePoint origin = arrival - since_origin(tick);
  if (!origin_) {
    second_end_ = arrival + kSecond;
    least_late_ = kSecond;
  }
  origin_ = origin_ ? std::min(*origin_, origin) : origin;
  const Duration late = origin - *origin_;
  follow(arrival, late);
  return late;
}

void TickFit::follow(TimePoint arrival, Duration late) {
  if (arrival >= second_end_) {
    const auto lost = least_late_ / since_origin(1);
    *origin_ += since_origin(1) * lost;
    ticks_lost_ += static_cast<std::uint64_t>(lost);
    second_end_ = arrival + kSecond;
    least_late_ = late - since_origin(1) * lost;
    return;
  }
  least_late_ = std::min(least_late_, late);
}

}  // namespace sweepd::tools::load
