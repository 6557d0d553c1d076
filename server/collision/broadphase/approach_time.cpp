// SPDX-License-Identifier: MIT
#include "collision/broadphase/approach_time.h"

#include <algorithm>

namespace sweepd::collision {
namespace {

/// Ticks between which two intervals overlap; none if first > last.
struct Ticks {
  std::uint64_t first = 0;
  std::uint64_t last = kNever;
};

constexpr Ticks kNone{1, 0};

std::uint64_t ceil_divide(std::int64_t value, std::int64_t divisor) {
  return static_cast<std::uint64_t>((value + divisor - 1) / divisor);
}

/// Interval b, which moves by `drift` a tick, against interval a, which stands.
Ticks ticks_of_overlap(std::int64_t a_min, std::int64_t a_max, std::int64_t b_min, std::int64_t b_max,
                       std::int64_t drift) {
  if (drift < 0) return ticks_of_overlap(-a_max, -a_min, -b_max, -b_min, -drift);
  const std::int64_t gap = a_min - b_max;   // To be closed.
  const std::int64_t rest = a_max - b_min;  // Until b is past a.
  if (rest < 0) return kNone;
  if (drift == 0) return gap > 0 ? kNone : Ticks{};
  return {gap > 0 ? ceil_divide(gap, drift) : 0, static_cast<std::uint64_t>(rest / drift)};
}

}  // namespace

std::uint64_t ticks_until_overlap(const Box& a, Drift drift_a, const Box& b, Drift drift_b) {
  const Ticks x = ticks_of_overlap(a.min_x, a.max_x, b.min_x, b.max_x, drift_b.x - drift_a.x);
  const Ticks y = ticks_of_overlap(a.min_y, a.max_y, b.min_y, b.max_y, drift_b.y - drift_a.y);
  const std::uint64_t first = std::max(x.first, y.first);
  return first <= std::min(x.last, y.last) ? std::max<std::uint64_t>(first, 1) : kNever;
}

}  // namespace sweepd::collision
