// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "collision/broadphase/broadphase.h"

namespace sweepd::collision {

/// A part as it was at the last update and as it is now.
struct TrackedPart {
  Box was;
  Box is;
  std::uint32_t object = 0;
  std::uint32_t rank = 0;  ///< Its place among its layer's members, while it exists.
  LayerId layer = 0;
  bool existed = false;  ///< At the last update.
  bool exists = false;
  bool changed = false;  ///< Added, moved or removed since.
  bool jumped = false;   ///< Moved so far that both places are looked at apart, not the area between them.
};

}  // namespace sweepd::collision
