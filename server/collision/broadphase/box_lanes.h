// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "collision/geometry.h"

namespace sweepd::collision {

/// Entries past the end of lanes that vectors may read (not use).
inline constexpr std::size_t kLanesBeyond = 64;

/// Views of packed boxes with a column a lane, and the slots they come from: what a vector reads whole.
struct BoxLanes {
  const Subunits* min_x = nullptr;
  const Subunits* min_y = nullptr;
  const Subunits* not_max_x = nullptr;
  const Subunits* not_max_y = nullptr;
  const std::uint32_t* slot = nullptr;
};

}  // namespace sweepd::collision
