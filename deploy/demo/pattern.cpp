// SPDX-License-Identifier: MIT
#include "pattern.h"

#include <cmath>
#include <numbers>

namespace sweepd::demo {
namespace {

Vec2 along(double angle, double length) { return {std::cos(angle) * length, std::sin(angle) * length}; }

}  // namespace

std::vector<Motion> aimed_fan(Vec2 from, Vec2 target, int count, double spread, double speed) {
  const double middle = std::atan2(target.y - from.y, target.x - from.x);
  std::vector<Motion> motions;
  for (int bullet = 0; bullet < count; ++bullet) {
    motions.push_back({along(middle + (bullet - (count - 1) / 2.0) * spread, speed), {}});
  }
  return motions;
}

std::vector<Motion> spiral_arms(int arms, double angle, double speed) {
  return accelerating_ring(arms, angle, speed, 0);
}

std::vector<Motion> accelerating_ring(int count, double angle, double speed, double acceleration) {
  std::vector<Motion> motions;
  for (int bullet = 0; bullet < count; ++bullet) {
    const double direction = angle + 2 * std::numbers::pi * bullet / count;
    motions.push_back({along(direction, speed), along(direction, acceleration)});
  }
  return motions;
}

}  // namespace sweepd::demo
