// SPDX-License-Identifier: MIT
#include "runtime/loop/loop_figures.h"

#include <algorithm>

namespace sweepd::runtime {
namespace {

constexpr double kSecondNanoseconds = 1e9;

/// Whole numbers are compared faster than they are converted.
constexpr auto kBoundsNanoseconds = [] {
  std::array<std::int64_t, TimeFigures::kBoundsSeconds.size()> bounds{};
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    bounds[i] = static_cast<std::int64_t>(TimeFigures::kBoundsSeconds[i] * kSecondNanoseconds + 0.5);
  }
  return bounds;
}();

}  // namespace

void TimeFigures::observe(Duration time) {
  const auto nanoseconds =
      std::max<std::int64_t>(0, std::chrono::duration_cast<std::chrono::nanoseconds>(time).count());
  const auto bucket = std::ranges::lower_bound(kBoundsNanoseconds, nanoseconds) - kBoundsNanoseconds.begin();
  counts_[static_cast<std::size_t>(bucket)].add();
  nanoseconds_.add(static_cast<std::uint64_t>(nanoseconds));
}

double TimeFigures::sum_seconds() const {
  return static_cast<double>(nanoseconds_.value()) / kSecondNanoseconds;
}

TickTimer::TickTimer(LoopFigures& figures, const Clock& clock)
    : figures_(figures), clock_(clock), begin_(clock_()), phase_begin_(begin_) {}

TickTimer::~TickTimer() {
  enter(phase_);
  figures_.tick.observe(phase_begin_ - begin_);
}

void TickTimer::enter(TickPhase phase) {
  const TimePoint now = clock_();
  figures_.phases[static_cast<std::size_t>(phase_)].observe(now - phase_begin_);
  phase_ = phase;
  phase_begin_ = now;
}

}  // namespace sweepd::runtime
