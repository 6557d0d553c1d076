// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "collision/object.h"

namespace sweepd::match {

/// Where an object is at the end of a tick, and the motion that the world then goes on with.
struct Trajectory {
  collision::Point position;
  collision::Motion motion;
  friend bool operator==(const Trajectory&, const Trajectory&) = default;
};

// What the world has let come about fits 32 bits at every step. Anything else wraps, so that no numbers do
// harm.

/// The same motion as collision::advance, `ticks` times at once: after n of them the velocity is v + n a and
/// the way n v + n (n + 1) / 2 a.
Trajectory advanced(const Trajectory& trajectory, collision::Tick ticks);

/// The trajectory that `ticks` ticks of its motion have led to this one.
Trajectory rewound(const Trajectory& trajectory, collision::Tick ticks);

/// The same value in so many bits: a number that is too large wraps.
constexpr collision::Subunits wrapped(std::int64_t value) {
  return static_cast<collision::Subunits>(static_cast<std::uint32_t>(static_cast<std::uint64_t>(value)));
}

/// One step from `a`, and the step from `a` to `b`.
constexpr collision::Point sum(collision::Point a, collision::Point step) {
  return {wrapped(std::int64_t{a.x} + step.x), wrapped(std::int64_t{a.y} + step.y)};
}
constexpr collision::Point difference(collision::Point b, collision::Point a) {
  return {wrapped(std::int64_t{b.x} - a.x), wrapped(std::int64_t{b.y} - a.y)};
}

}  // namespace sweepd::match
