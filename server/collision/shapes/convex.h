// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "collision/shapes/shape.h"

namespace sweepd::collision {

/// A point or a way in the plane, wide enough for differences of coordinates times the steps of a sweep.
struct Vector {
  std::int64_t x = 0;
  std::int64_t y = 0;
  friend bool operator==(const Vector&, const Vector&) = default;
};

constexpr Vector operator-(Vector a, Vector b) { return {a.x - b.x, a.y - b.y}; }
constexpr Vector operator*(Vector a, std::int64_t factor) { return {a.x * factor, a.y * factor}; }

/// All points at most `radius` from a convex polygon, which may be a line or a point. Boxes, circles and
/// capsules are such, and so is what two of them make of each other: they touch exactly if the origin lies in
/// the difference of the two, which is the difference of the polygons (Minkowski's), with the sum of the
/// radii.
struct Rounded {
  static constexpr std::size_t kCornersMax = 16;

  std::array<Vector, kCornersMax> corners_array;  ///< Counterclockwise where y points up, no three in a line.
  std::size_t corner_count = 0;
  std::int64_t radius = 0;

  std::span<const Vector> corners() const { return {corners_array.data(), corner_count}; }
};

/// Not of a mask.
Rounded rounded(const Shape& shape);

/// { b - a }: contains the origin if the two touch; a's way against b's moves the origin through it.
Rounded difference(const Rounded& a, const Rounded& b);

/// Whether a point that moves from the origin along way * steps_done / steps touches `target` on its way.
/// Exact for corners within 34 bits, ways within 34 bits and steps up to 65536.
bool path_touches(const Rounded& target, Way way, std::uint32_t steps_done, std::uint32_t steps);

}  // namespace sweepd::collision
