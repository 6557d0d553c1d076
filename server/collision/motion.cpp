// SPDX-License-Identifier: MIT
#include "collision/motion.h"

namespace sweepd::collision {
namespace {

std::optional<Point> sum(Point a, Point b) {
  const std::int64_t x = std::int64_t{a.x} + b.x;
  const std::int64_t y = std::int64_t{a.y} + b.y;
  if (!fits_subunits(x) || !fits_subunits(y)) return std::nullopt;
  return Point{static_cast<Subunits>(x), static_cast<Subunits>(y)};
}

}  // namespace

bool advance(Object& object) {
  const std::optional<Point> velocity = sum(object.motion.velocity, object.motion.acceleration);
  if (!velocity) return false;
  const std::optional<Point> position = sum(object.position, *velocity);
  if (!position || !translate(object.bounds, *position)) return false;
  object.motion.velocity = *velocity;
  object.position = *position;
  return true;
}

}  // namespace sweepd::collision
