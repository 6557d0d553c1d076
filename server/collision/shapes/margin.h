// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "collision/shapes/shape.h"

namespace sweepd::collision {

inline constexpr std::size_t kMarginRunsMax = 512;
inline constexpr std::int64_t kMarginMax = std::int64_t{1} << 36;  ///< No margin is more.

/// How far two shapes are from touching, on their ways as in first_touch.
/// - They do not touch: the least distance between them at any moment, in subunits, rounded up: at least 1.
/// It is the
///   least whole number by which one of the two must grow, on all sides, to touch the other.
/// - They touch: 0, or minus how deep the boxes around the two overlap, at the moment when that is most:
/// along x or y,
///   whichever is less, rounded down.
/// Contact is exact for all shapes. Distances are, too, but from masks of more than kMarginRunsMax runs of
/// pixels, whose rows then count as filled between their first pixel and their last.
/// `limit`: where it is more than that, some number that is, too, and may cost less to find.
std::int64_t margin(const Shape& a, Way way_a, const Shape& b, Way way_b, std::int64_t limit = kMarginMax);

/// Their margin is at least so much, whatever lies in the two boxes, while `a` moves along `way` against `b`.
/// Costs next to nothing.
std::int64_t least_margin(const Box& a, const Box& b, Way way);

}  // namespace sweepd::collision
