// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "collision/shapes/shape.h"

namespace sweepd::collision {

// What a test takes at most, in units of about the test of two plain shapes: a function of the two shapes,
// the same in whichever order they come, and wherever they are. Masks are what makes tests expensive.

/// Of `touch`.
std::uint64_t touch_cost(const Shape& a, const Shape& b);
/// Of `first_touch`; `tests_per_sweep`: of two plain shapes.
std::uint64_t sweep_cost(const Shape& a, const Shape& b, std::uint32_t tests_per_sweep);

}  // namespace sweepd::collision
