// SPDX-License-Identifier: MIT
#include "collision/shapes/convex.h"

#include <algorithm>

#include "base/assert.h"
#include "base/wide.h"

namespace sweepd::collision {
namespace {

using base::Int128;
using base::Uint128;

Int128 cross(Vector a, Vector b) { return Int128{a.x} * b.y - Int128{a.y} * b.x; }
Int128 dot(Vector a, Vector b) { return Int128{a.x} * b.x + Int128{a.y} * b.y; }
Uint128 square(Vector a) { return static_cast<Uint128>(dot(a, a)); }

int sign(Int128 value) { return (value > 0) - (value < 0); }

/// Andrew's monotone chain (1979), over at most kCornersMax points.
void become_hull(std::span<Vector> points, Rounded& hull) {
  std::sort(points.begin(), points.end(),
            [](Vector a, Vector b) { return a.x != b.x ? a.x < b.x : a.y < b.y; });
  const auto last = std::unique(points.begin(), points.end());
  points = points.first(static_cast<std::size_t>(last - points.begin()));
  hull.corner_count = 0;
  if (points.size() == 1) hull.corners_array[hull.corner_count++] = points[0];
  if (points.size() == 1) return;
  const auto extend = [&](Vector point, std::size_t first) {
    Vector* corners = hull.corners_array.data();
    std::size_t& count = hull.corner_count;
    while (count >= first + 2 &&
           cross(corners[count - 1] - corners[count - 2], point - corners[count - 1]) <= 0)
      --count;
    corners[count++] = point;
  };
  for (const Vector point : points) extend(point, 0);
  const std::size_t upper = hull.corner_count - 1;
  for (std::size_t i = points.size() - 1; i-- > 0;) extend(points[i], upper);
  --hull.corner_count;  // The last is the first again.
}

/// The squared distance of `point` from the line between `from` and `to` is at most that of `radius`.
bool is_near(Vector point, Vector from, Vector to, Uint128 radius_squared) {
  const Vector line = to - from;
  const Vector way = point - from;
  const Int128 along = dot(way, line);
  if (along <= 0) return square(way) <= radius_squared;
  const Uint128 length_squared = square(line);
  if (static_cast<Uint128>(along) >= length_squared) return square(point - to) <= radius_squared;
  const Uint128 area = base::magnitude(cross(line, way));
  return base::multiply(area, area) <= base::multiply(radius_squared, length_squared);
}

/// Whether they meet in a point that is an end of neither.
bool cross_each_other(Vector a, Vector b, Vector c, Vector d) {
  const Vector first = b - a;
  const Vector second = d - c;
  return sign(cross(first, c - a)) * sign(cross(first, d - a)) < 0 &&
         sign(cross(second, a - c)) * sign(cross(second, b - c)) < 0;
}

bool lines_are_near(Vector a, Vector b, Vector c, Vector d, Uint128 radius_squared) {
  return is_near(a, c, d, radius_squared) || is_near(b, c, d, radius_squared) ||
         is_near(c, a, b, radius_squared) || is_near(d, a, b, radius_squared) || cross_each_other(a, b, c, d);
}

bool contains_origin(std::span<const Vector> corners) {
  if (corners.size() < 3) return false;  // Its edges tell.
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Vector next = corners[(i + 1) % corners.size()];
    if (cross(next - corners[i], Vector{} - corners[i]) < 0) return false;
  }
  return true;
}

/// Cheap, and true of most: the box around the path and that around the target are apart.
bool is_out_of_reach(const Rounded& target, Vector end, std::int64_t steps) {
  std::int64_t min_x = target.corners_array[0].x, max_x = min_x;
  std::int64_t min_y = target.corners_array[0].y, max_y = min_y;
  for (const Vector corner : target.corners()) {
    min_x = std::min(min_x, corner.x);
    max_x = std::max(max_x, corner.x);
    min_y = std::min(min_y, corner.y);
    max_y = std::max(max_y, corner.y);
  }
  const std::int64_t radius = target.radius;
  return std::max<std::int64_t>(end.x, 0) < (min_x - radius) * steps ||
         std::min<std::int64_t>(end.x, 0) > (max_x + radius) * steps ||
         std::max<std::int64_t>(end.y, 0) < (min_y - radius) * steps ||
         std::min<std::int64_t>(end.y, 0) > (max_y + radius) * steps;
}

}  // namespace

Rounded rounded(const Shape& shape) {
  Rounded result;
  const Box& box = shape.box;
  const std::int64_t r = shape.radius;
  const std::int64_t left = box.min_x + r, right = box.max_x - r, low = box.min_y + r, high = box.max_y - r;
  switch (shape.kind) {
    case ShapeKind::kBox:
      result.corners_array = {Vector{box.min_x, box.min_y}, Vector{box.max_x, box.min_y},
                              Vector{box.max_x, box.max_y}, Vector{box.min_x, box.max_y}};
      result.corner_count = 4;
      return result;
    case ShapeKind::kCircle:
      result.corners_array[0] = {left, low};
      result.corner_count = 1;
      break;
    case ShapeKind::kCapsule:
      result.corners_array[0] = shape.is_rising ? Vector{left, high} : Vector{left, low};
      result.corners_array[1] = shape.is_rising ? Vector{right, low} : Vector{right, high};
      result.corner_count = 2;
      break;
    case ShapeKind::kMask:
      SWEEPD_ASSERT(!"a mask is not convex");
  }
  result.radius = r;
  return result;
}

Rounded difference(const Rounded& a, const Rounded& b) {
  std::array<Vector, Rounded::kCornersMax> points;
  std::size_t count = 0;
  for (const Vector corner_b : b.corners()) {
    for (const Vector corner_a : a.corners()) points[count++] = corner_b - corner_a;
  }
  Rounded result;
  become_hull({points.data(), count}, result);
  result.radius = a.radius + b.radius;
  return result;
}

bool path_touches(const Rounded& target, Way way, std::uint32_t steps_done, std::uint32_t steps) {
  const Vector end{way.x * steps_done, way.y * steps_done};
  if (is_out_of_reach(target, end, steps)) return false;
  const std::span<const Vector> corners = target.corners();
  if (contains_origin(corners)) return true;
  const Uint128 radius_squared = square({target.radius * steps, 0});
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Vector from = corners[i] * steps;
    const Vector to = corners[(i + 1) % corners.size()] * steps;
    if (lines_are_near({}, end, from, to, radius_squared)) return true;
  }
  return false;
}

}  // namespace sweepd::collision
