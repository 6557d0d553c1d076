// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "sweepd/types.h"

namespace sweepd::demo {

/// Bullet patterns: only how the bullets of one moment fly. The server moves them from there on.

/// `count` bullets at a target, `spread` radians from one to the next.
std::vector<Motion> aimed_fan(Vec2 from, Vec2 target, int count, double spread, double speed);
/// `arms` bullets at equal angles, the first at `angle`: turned a little each time, they make a spiral.
std::vector<Motion> spiral_arms(int arms, double angle, double speed);
/// A ring that starts slowly and gets faster.
std::vector<Motion> accelerating_ring(int count, double angle, double speed, double acceleration);

}  // namespace sweepd::demo
