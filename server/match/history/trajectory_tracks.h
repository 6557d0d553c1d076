// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "match/history/tick_column.h"
#include "match/history/trajectory.h"

namespace sweepd::match {

using collision::Tick;

/// A value that a life got in a tick.
struct TrackPoint {
  Tick tick = 0;
  collision::Point value;
  friend bool operator==(const TrackPoint&, const TrackPoint&) = default;
};

/// The values that each life got, by tick: what columns say tick by tick, turned around.
class Tracks {
 public:
  explicit Tracks(std::size_t life_count) : ends_(life_count + 1) {}

  // First all that will come, then the same again, each life's by tick.
  void expect(LifetimeIndex life) { ++ends_[life + 1]; }
  void make_room();
  void add(LifetimeIndex life, const TrackPoint& point) { points_[ends_[life]++] = point; }

  std::span<const TrackPoint> of(LifetimeIndex life) const {
    const std::size_t begin = life == 0 ? 0 : ends_[life - 1];
    return std::span(points_).subspan(begin, ends_[life] - begin);
  }

 private:
  std::vector<std::size_t> ends_;  ///< By life: where the next of its points goes.
  std::vector<TrackPoint> points_;
};

/// All that was set about a life in the ticks that are kept.
struct LifetimeTracks {
  std::span<const TrackPoint> positions = {};
  std::span<const TrackPoint> velocities = {};
  std::span<const TrackPoint> accelerations = {};
  bool empty() const { return positions.empty() && velocities.empty(); }
};

/// Follows a life from tick to tick: its trajectory at the end of each.
class TrajectoryWalk {
 public:
  TrajectoryWalk(Tick start, const Trajectory& trajectory, const LifetimeTracks& tracks)
      : tick_(start), course_(trajectory), tracks_(tracks) {}

  Tick tick() const { return tick_; }
  const Trajectory& trajectory() const { return course_; }

  void next();
  /// The first tick to come in which something was set.
  Tick next_set() const { return std::min(first_of(tracks_.positions), first_of(tracks_.velocities)); }
  /// Nothing was set in so many ticks, and its motion has no acceleration. False: it is beyond the range of
  /// coordinates then.
  bool go_straight_on(Tick ticks);

 private:
  using Track = std::span<const TrackPoint>;
  static Tick first_of(Track track) { return track.empty() ? collision::kForever : track.front().tick; }
  static bool take(Track& track, Tick tick, collision::Point& value);

  Tick tick_;
  Trajectory course_;
  LifetimeTracks tracks_;  ///< What is yet to come.
};

inline bool TrajectoryWalk::take(Track& track, Tick tick, collision::Point& value) {
  if (track.empty() || track.front().tick != tick) return false;
  value = track.front().value;
  track = track.subspan(1);
  return true;
}

/// As the columns are read: an acceleration comes with a velocity only, and a position is where the tick
/// ended.
inline void TrajectoryWalk::next() {
  ++tick_;
  auto& [position, motion] = course_;
  if (take(tracks_.velocities, tick_, motion.velocity)) {
    take(tracks_.accelerations, tick_, motion.acceleration);
  } else {
    motion.velocity = sum(motion.velocity, motion.acceleration);
  }
  position = sum(position, motion.velocity);
  take(tracks_.positions, tick_, position);
}

}  // namespace sweepd::match
