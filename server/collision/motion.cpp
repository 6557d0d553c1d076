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

bool advance(Point& position, Motion& motion, const Box& bounds) {
  const std::optional<Point> velocity = sum(motion.velocity, motion.acceleration);
  if (!velocity) return false;
  const std::optional<Point> next = sum(position, *velocity);
  if (!next || !translate(bounds, *next)) return false;
  motion.velocity = *velocity;
  position = *next;
  return true;
}

}  // namespace sweepd::collision
