// SPDX-License-Identifier: MIT
#pragma once

#include "collision/object.h"

namespace sweepd::collision {

/// One tick of motion: velocity += acceleration, then position += velocity. False, and nothing changed, if
/// the velocity, the position or an edge of `bounds`, relative to it, would leave the range of coordinates.
bool advance(Point& position, Motion& motion, const Box& bounds);

}  // namespace sweepd::collision
