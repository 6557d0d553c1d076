// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "collision/geometry.h"
#include "collision/layers.h"

namespace sweepd::collision {

/// Names an object within its world. 0 names none.
using ObjectId = std::uint32_t;

/// Whoever an object belongs to: opaque to the world.
using OwnerId = std::uint32_t;

/// A step of the world; the first is 1.
using Tick = std::uint64_t;

inline constexpr std::uint32_t kPartsMax = 32;
inline constexpr Tick kForever = ~Tick{0};

/// One shape of an object.
struct Part {
  Box box;  ///< Relative to the object's position.
  LayerId layer = 0;
  friend bool operator==(const Part&, const Part&) = default;
};

/// Movement by the world, once a tick: velocity += acceleration, then position += velocity.
struct Motion {
  Point velocity;      ///< Subunits per tick.
  Point acceleration;  ///< Subunits per tick per tick.
  bool is_still() const { return *this == Motion{}; }
  friend bool operator==(const Motion&, const Motion&) = default;
};

/// What it takes to make an object.
struct ObjectSpec {
  ObjectId id = 0;
  OwnerId owner = 0;
  Point position;
  std::vector<Part> parts;  ///< 1 to kPartsMax.
  Motion motion;
  std::uint32_t time_to_live_ticks = 0;  ///< Judged in this many ticks, then despawned (EXPIRED). 0: no limit.
  bool despawn_outside_playfield = false;
};

}  // namespace sweepd::collision
