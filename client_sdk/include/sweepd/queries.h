// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "sweepd/types.h"

/// What the queries of Client answer.
namespace sweepd {

/// A part of an object.
struct PartName {
  ObjectId object = 0;
  std::uint32_t part = 0;  ///< Its index in the object.
  friend bool operator==(const PartName&, const PartName&) = default;
};

struct RayHit {
  PartName part;
  double distance = 0;  ///< Along the ray: 0 where it begins, 1 where it ends; rounded up by at most 1/65536.
};

struct NearPart {
  PartName part;
  double distance = 0;  ///< From the edge of its shape in units, rounded down by at most 1/256; 0 within it.
};

/// An object as it is, or was, after a tick.
struct ObjectState {
  ObjectId id = 0;
  std::uint32_t owner = 0;  ///< The number of its participant.
  Vec2 position;
  Motion motion;             ///< With which the server moves it on.
  bool is_disabled = false;  ///< It meets nothing.
  std::vector<Part> parts;   ///< Relative to the position.
};

struct World {
  Tick tick = 0;                     ///< After which it is, or was, like this.
  std::vector<ObjectState> objects;  ///< By id; the disabled, too.
};

}  // namespace sweepd
