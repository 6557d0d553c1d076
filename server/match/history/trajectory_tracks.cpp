// SPDX-License-Identifier: MIT
#include "match/history/trajectory_tracks.h"

namespace sweepd::match {

void Tracks::make_room() {
  for (std::size_t life = 1; life < ends_.size(); ++life) ends_[life] += ends_[life - 1];
  points_.resize(ends_.back());
}

bool TrajectoryWalk::go_straight_on(Tick ticks) {
  const auto n = static_cast<std::int64_t>(ticks);
  const auto& [position, motion] = course_;
  const std::int64_t x = position.x + n * motion.velocity.x;
  const std::int64_t y = position.y + n * motion.velocity.y;
  course_.position = {wrapped(x), wrapped(y)};
  tick_ += ticks;
  return collision::fits_subunits(x) && collision::fits_subunits(y);
}

}  // namespace sweepd::match
