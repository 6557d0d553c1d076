// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "collision/geometry.h"
#include "collision/layers.h"

namespace sweepd::collision {

/// Names an object within its world. 0 names none.
using ObjectId = std::uint32_t;

/// The owner of an object: opaque to the world.
using OwnerId = std::uint32_t;

/// A step of the world; the first is 1.
using Tick = std::uint64_t;

inline constexpr std::uint32_t kPartsMax = 32;
inline constexpr Tick kForever = ~Tick{0};
/// No world that is restored has run longer: a year and a half at 60 ticks a second.
inline constexpr Tick kTickMax = 3'000'000'000;

enum class ShapeKind : std::uint8_t { kBox, kCircle, kCapsule, kMask };

/// Index of a bit mask in its world.
using MaskId = std::uint8_t;

inline constexpr std::uint32_t kMasksMax = 256;

/// One shape of an object, given by the smallest box around it: a kind and a few numbers tell the rest, so
/// that a part is small and only exact tests look at more than the box. Touching counts for every kind.
struct Part {
  Box box;  ///< Relative to the object's position. kBox: the shape itself.
  LayerId layer = 0;
  ShapeKind kind = ShapeKind::kBox;
  /// kCapsule: its middle line goes from (min x, max y) to (max x, min y) of the box less the radius;
  /// otherwise from (min x, min y) to (max x, max y).
  bool is_rising = false;
  MaskId mask = 0;      ///< kMask: the pixels, the first one at the box's (min x, min y).
  Subunits radius = 0;  ///< kCircle, kCapsule: not negative. Of a circle, half the side of its box.
  friend bool operator==(const Part&, const Part&) = default;
};
static_assert(sizeof(Part) == 24);  // There is one for every box of a world.

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
  Motion motion = {};
  std::uint32_t time_to_live_ticks =
      0;  ///< Judged in this many ticks, then despawned (EXPIRED). 0: no limit.
  bool despawn_outside_playfield = false;
  /// Its way from where it was to where it is, a straight line, is swept in each tick: it cannot tunnel. In
  /// the tick of its spawn the way begins where it is spawned; in that in which it leaves, it ends there.
  bool continuous = false;
  /// The first contact that it enters and that is no sensor uses it up: it leaves with that tick (CONSUMED),
  /// and whatever it met later in the tick it never met.
  bool single_use = false;
  std::uint32_t hit_points = 0;  ///< At none left it leaves with the tick (DESTROYED). 0: nothing takes any.
  std::uint32_t damage = 0;      ///< How many a contact takes from the other.
  std::uint32_t kind = 0;        ///< Opaque to the world, which does not keep it.
  std::uint64_t tag = 0;         ///< Opaque to the world, which keeps it.
};

}  // namespace sweepd::collision
