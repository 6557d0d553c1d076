// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "collision/world.h"
#include "scenes/scene.h"

namespace sweepd::scenes {

/// A scene in a world: its parts are objects' parts, and a tick is what a match does to a world in one. First
/// it is laid out what there is to change, as a match's frames are when a tick begins; then it runs.
class WorldPlay {
 public:
  explicit WorldPlay(const Recording& recording);

  bool is_over() const { return next_tick_ == recording_.ticks.size(); }
  void lay_out_tick();
  std::span<const collision::Event> run_tick();

  const collision::World& world() const { return world_; }
  /// Gives back all memory but the world's.
  void forget_all_but_world();

 private:
  struct Move {
    collision::ObjectId id = 0;
    collision::Point position;
  };

  void lay_out_spawns(const collision::PartChanges& changes);

  const Recording& recording_;
  std::size_t next_tick_ = 0;
  collision::World world_;
  std::vector<collision::ObjectId> object_of_;  // By part; 0 for all but the first of an object.
  std::vector<collision::ObjectSpec> spawns_;
  std::vector<Move> moves_;
  std::vector<collision::ObjectId> despawns_;
};

}  // namespace sweepd::scenes
