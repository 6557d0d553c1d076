// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "collision/world.h"
#include "scenes/scene.h"

namespace sweepd::bench {

/// A scene in a world: its parts are objects' parts, and a tick is what a match does to a world in one.
class WorldPlay {
 public:
  explicit WorldPlay(const scenes::Recording& recording);

  bool is_over() const { return next_tick_ == recording_.ticks.size(); }
  /// Plays one tick; how long it took. What the tick has to change is laid out before, as a match's frames
  /// are.
  double play_tick_us();

  const collision::World& world() const { return world_; }
  /// Gives back all memory but the world's.
  void forget_all_but_world();

 private:
  struct Move {
    collision::ObjectId id = 0;
    collision::Point position;
  };

  void lay_out(const collision::PartChanges& changes);
  void lay_out_spawns(const collision::PartChanges& changes);

  const scenes::Recording& recording_;
  std::size_t next_tick_ = 0;
  collision::World world_;
  std::vector<collision::ObjectId> object_of_;  // By part; 0 for all but the first of an object.
  std::vector<collision::ObjectSpec> spawns_;
  std::vector<Move> moves_;
  std::vector<collision::ObjectId> despawns_;
};

/// Memory that the process has asked for and holds.
std::size_t heap_bytes();

}  // namespace sweepd::bench
