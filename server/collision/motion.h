// SPDX-License-Identifier: MIT
#pragma once

#include "collision/object_table.h"

namespace sweepd::collision {

/// One tick of motion: velocity += acceleration, then position += velocity. False, and nothing changed, if
/// the velocity, the position or an edge of a part would leave the range of coordinates.
bool advance(Object& object);

}  // namespace sweepd::collision
