// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "collision/world.h"

namespace sweepd::collision {

/// Whether an object may have these parts at this position; if not, the first part at fault.
struct PartLimits {
  std::uint32_t layer_count;
  std::span<const BitMask> masks;
};
ChangeResult check_parts(std::span<const Part> parts, Point position, const PartLimits& limits);

/// Whether `parts` stay within the range of coordinates at `position`; if not, the first that does not.
ChangeResult check_range(std::span<const Part> parts, Point position);

}  // namespace sweepd::collision
