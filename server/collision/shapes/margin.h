// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "collision/shapes/shape.h"

namespace sweepd::collision {

/// How far two shapes are from touching, on their ways as in first_touch.
/// - They do not touch: the least distance between them at any moment, in subunits, rounded up: at least 1.
/// It is the
///   least whole number by which one of the two must grow, on all sides, to touch the other.
/// - They touch: 0, or minus how deep the boxes around the two overlap, at the moment when that is most:
/// along x or y,
///   whichever is less, rounded down.
/// Contact is exact for all shapes. Distances are, too, but from masks of more than kMarginRunsMax runs of
/// pixels, whose rows then count as filled between their first pixel and their last.
std::int64_t margin(const Shape& a, Way way_a, const Shape& b, Way way_b);

inline constexpr std::size_t kMarginRunsMax = 512;

}  // namespace sweepd::collision
