// SPDX-License-Identifier: MIT
#pragma once

#include "collision/shapes/shape.h"

namespace sweepd::property {

/// Whether two shapes touch, in exact fractions and by other formulas than the server's: the distance of two
/// line segments by the minimum of a quadratic function, boxes by their edges, masks pixel by pixel.
bool oracle_touch(const collision::Shape& a, const collision::Shape& b);

}  // namespace sweepd::property
