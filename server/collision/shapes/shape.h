// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "collision/geometry.h"
#include "collision/object.h"

namespace sweepd::collision {

class BitMask;

/// A part's shape where it lies in the world. Closed: its edge belongs to it.
struct Shape {
  Box box;  ///< The smallest box around it; within the range of coordinates.
  ShapeKind kind = ShapeKind::kBox;
  bool is_rising = false;         ///< As in Part.
  Subunits radius = 0;            ///< As in Part.
  const BitMask* mask = nullptr;  ///< kMask: its pixels.
};

/// How far something moves, in subunits; wide enough for the difference of any two ways.
struct Way {
  std::int64_t x = 0;
  std::int64_t y = 0;
};

/// Whether the two have a point in common. Exact for all coordinates.
bool touch(const Shape& a, const Shape& b);

/// `a` moves along `way_a` and `b` along `way_b`, each in a straight line and at constant speed, in `steps`
/// steps of equal length (1 to 65536). The number of steps after which they have touched, counted up to whole
/// ones; 0 if they touch at the start; nothing if they never touch. Exact: contact between two steps is never
/// missed. `limit`, at most `steps`: what happens after so many steps does not count.
std::optional<std::uint32_t> first_touch(const Shape& a, Way way_a, const Shape& b, Way way_b,
                                         std::uint32_t steps, std::uint32_t limit);

inline std::optional<std::uint32_t> first_touch(const Shape& a, Way way_a, const Shape& b, Way way_b,
                                                std::uint32_t steps) {
  return first_touch(a, way_a, b, way_b, steps, steps);
}

/// A part of an object at `position`; it must stay within the range of coordinates there.
Shape place(const Part& part, Point position, std::span<const BitMask> masks);

/// The distance between `shape` and `point` in whole subunits, rounded down; 0 if they touch.
std::uint64_t distance(const Shape& shape, Point point);

}  // namespace sweepd::collision
