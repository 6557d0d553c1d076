// SPDX-License-Identifier: MIT
#include "collision/shapes/shape.h"

#include <algorithm>

#include "base/assert.h"
#include "base/wide.h"
#include "collision/shapes/bit_mask.h"
#include "collision/shapes/convex.h"
#include "collision/shapes/mask_touch.h"

namespace sweepd::collision {
namespace {

using base::Int128;
using base::Uint128;

Uint128 square(std::int64_t x, std::int64_t y) { return static_cast<Uint128>(Int128{x} * x + Int128{y} * y); }

Vector center_of(const Shape& circle) {
  return {std::int64_t{circle.box.min_x} + circle.radius, std::int64_t{circle.box.min_y} + circle.radius};
}

/// From the point to the nearest one of the box.
Vector way_to_box(Vector point, const Box& box) {
  const std::int64_t x = std::clamp<std::int64_t>(point.x, box.min_x, box.max_x);
  const std::int64_t y = std::clamp<std::int64_t>(point.y, box.min_y, box.max_y);
  return {x - point.x, y - point.y};
}

bool circle_touches_box(const Shape& circle, const Box& box) {
  const Vector way = way_to_box(center_of(circle), box);
  return square(way.x, way.y) <= square(circle.radius, 0);
}

bool circles_touch(const Shape& a, const Shape& b) {
  const Vector way = center_of(b) - center_of(a);
  return square(way.x, way.y) <= square(std::int64_t{a.radius} + b.radius, 0);
}

bool convex_touch(const Shape& a, const Shape& b) {
  if (!overlap(a.box, b.box)) return false;
  return path_touches(difference(rounded(a), rounded(b)), {}, 0, 1);
}

/// Distance from the middle line of a capsule, rounded down.
std::uint64_t distance_to_line(const Rounded& capsule, Vector point) {
  const Vector from = capsule.corners()[0];
  const Vector line = capsule.corners()[1] - from;
  const Vector way = point - from;
  const Int128 along = Int128{way.x} * line.x + Int128{way.y} * line.y;
  if (along <= 0) return base::square_root(square(way.x, way.y));
  const Uint128 length_squared = square(line.x, line.y);
  if (static_cast<Uint128>(along) >= length_squared) {
    const Vector rest = point - capsule.corners()[1];
    return base::square_root(square(rest.x, rest.y));
  }
  // The largest number whose square times the length's is at most the area's: the root of a fraction.
  const Uint128 area = base::magnitude(Int128{line.x} * way.y - Int128{line.y} * way.x);
  const base::Uint256 area_squared = base::multiply(area, area);
  std::uint64_t root = 0;
  for (std::uint64_t bit = std::uint64_t{1} << 40; bit != 0; bit >>= 1) {
    const Uint128 trial = root | bit;
    if (base::multiply(trial * trial, length_squared) <= area_squared) root |= bit;
  }
  return root;
}

}  // namespace

bool touch(const Shape& a, const Shape& b) {
  if (a.kind == ShapeKind::kMask) return mask_touches(a, b);
  if (b.kind == ShapeKind::kMask) return mask_touches(b, a);
  if (a.kind == ShapeKind::kBox && b.kind == ShapeKind::kBox) return overlap(a.box, b.box);
  if (a.kind == ShapeKind::kCircle && b.kind == ShapeKind::kBox) return circle_touches_box(a, b.box);
  if (a.kind == ShapeKind::kBox && b.kind == ShapeKind::kCircle) return circle_touches_box(b, a.box);
  if (a.kind == ShapeKind::kCircle && b.kind == ShapeKind::kCircle) return circles_touch(a, b);
  return convex_touch(a, b);
}

/// What has touched after some steps has touched after more: so the first is found by halving.
std::optional<std::uint32_t> first_touch(const Shape& a, Way way_a, const Shape& b, Way way_b,
                                         std::uint32_t steps, std::uint32_t limit) {
  SWEEPD_ASSERT(steps >= 1 && steps <= 65536 && limit <= steps);
  if (a.kind == ShapeKind::kMask) return mask_first_touch(a, way_a, b, way_b, steps, limit);
  if (b.kind == ShapeKind::kMask) return mask_first_touch(b, way_b, a, way_a, steps, limit);
  const Rounded target = difference(rounded(a), rounded(b));
  const Way way{way_a.x - way_b.x, way_a.y - way_b.y};
  if (!path_touches(target, way, limit, steps)) return std::nullopt;
  std::uint32_t low = 0;
  std::uint32_t high = limit;
  while (low < high) {
    const std::uint32_t middle = low + (high - low) / 2;
    if (path_touches(target, way, middle, steps)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return high;
}

std::uint64_t distance(const Shape& shape, Point point) {
  if (shape.kind == ShapeKind::kMask) return mask_distance(shape, point);
  const Vector position{point.x, point.y};
  std::uint64_t to_core = 0;
  if (shape.kind == ShapeKind::kCapsule) {
    to_core = distance_to_line(rounded(shape), position);
  } else {
    const bool is_box = shape.kind == ShapeKind::kBox;
    const Vector way = is_box ? way_to_box(position, shape.box) : center_of(shape) - position;
    to_core = base::square_root(square(way.x, way.y));
  }
  const auto radius = static_cast<std::uint64_t>(shape.kind == ShapeKind::kBox ? 0 : shape.radius);
  return to_core > radius ? to_core - radius : 0;
}

Shape place(const Part& part, Point position, std::span<const BitMask> masks) {
  Shape shape{.box = placed(part.box, position),
              .kind = part.kind,
              .is_rising = part.is_rising,
              .radius = part.radius};
  if (part.kind == ShapeKind::kMask) shape.mask = &masks[part.mask];
  return shape;
}

}  // namespace sweepd::collision
