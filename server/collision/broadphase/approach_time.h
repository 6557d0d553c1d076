// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "collision/geometry.h"

namespace sweepd::collision {

/// How far a box moves in one tick, all its edges alike.
struct Drift {
  std::int64_t x = 0;
  std::int64_t y = 0;
  friend bool operator==(const Drift&, const Drift&) = default;
};

inline constexpr std::uint64_t kNever = ~std::uint64_t{0};

/// The first tick from now, 1 or more, in which two boxes that do not overlap now do, if both go on as they do;
/// kNever if there is none. Exact.
std::uint64_t ticks_until_overlap(const Box& a, Drift drift_a, const Box& b, Drift drift_b);

}  // namespace sweepd::collision
