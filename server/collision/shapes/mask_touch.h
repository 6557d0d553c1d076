// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>

#include "collision/shapes/shape.h"

namespace sweepd::collision {

/// Whether a mask, `a`, and anything else touch. Two masks of one pixel size are compared 64 pixels a step;
/// else the runs of pixels of one are compared as boxes with the other.
bool mask_touches(const Shape& a, const Shape& b);

/// As first_touch in shape.h, for a mask `a`: the first of its runs of pixels that touches.
std::optional<std::uint32_t> mask_first_touch(const Shape& a, Way way_a, const Shape& b, Way way_b,
                                              std::uint32_t steps, std::uint32_t limit);

/// As distance in shape.h, for a mask.
std::uint64_t mask_distance(const Shape& mask, Point point);

}  // namespace sweepd::collision
