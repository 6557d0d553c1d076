// SPDX-License-Identifier: MIT
#include "match/history/trajectory.h"

namespace sweepd::match {
namespace {

using collision::Point;
using collision::Subunits;

// Unsigned: whatever of the products does not fit, the sum is exact in its low 32 bits.
std::uint64_t unsigned_of(Subunits value) { return static_cast<std::uint64_t>(std::int64_t{value}); }
Subunits signed_of(std::uint64_t value) { return static_cast<Subunits>(static_cast<std::uint32_t>(value)); }

/// The way of n ticks that begin with this velocity.
std::uint64_t way(Subunits velocity, Subunits acceleration, std::uint64_t n) {
  const std::uint64_t steps = n % 2 == 0 ? n / 2 * (n + 1) : (n + 1) / 2 * n;
  return n * unsigned_of(velocity) + steps * unsigned_of(acceleration);
}

Subunits velocity_after(Subunits velocity, Subunits acceleration, std::uint64_t n) {
  return signed_of(unsigned_of(velocity) + n * unsigned_of(acceleration));
}

}  // namespace

Trajectory advanced(const Trajectory& trajectory, collision::Tick ticks) {
  if (ticks == 0 || trajectory.motion.is_still()) return trajectory;
  const auto& [position, motion] = trajectory;
  const auto& [v, a] = motion;
  return {{signed_of(unsigned_of(position.x) + way(v.x, a.x, ticks)),
           signed_of(unsigned_of(position.y) + way(v.y, a.y, ticks))},
          {{velocity_after(v.x, a.x, ticks), velocity_after(v.y, a.y, ticks)}, a}};
}

Trajectory rewound(const Trajectory& trajectory, collision::Tick ticks) {
  if (ticks == 0 || trajectory.motion.is_still()) return trajectory;
  const auto& [position, motion] = trajectory;
  const auto& [v, a] = motion;
  const Point first{velocity_after(v.x, a.x, 0 - ticks), velocity_after(v.y, a.y, 0 - ticks)};
  return {{signed_of(unsigned_of(position.x) - way(first.x, a.x, ticks)),
           signed_of(unsigned_of(position.y) - way(first.y, a.y, ticks))},
          {first, a}};
}

}  // namespace sweepd::match
