// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "collision/world.h"
#include "property/random.h"

namespace sweepd::property {

/// How often what happens in a random world. Chances in percent, per tick or per object and tick.
struct RandomWorldOptions {
  const char* name = "";
  std::uint32_t objects_max = 40;
  std::uint32_t spawns = 3;
  std::uint32_t move_chance = 30;
  std::uint32_t jump_chance = 5;      ///< That a move goes anywhere.
  std::uint32_t straight_chance = 0;  ///< That it goes on by the step of the object's last.
  std::uint32_t motion_chance = 10;
  std::uint32_t alter_chance = 5;  ///< Reshape, other layer, disable, enable.
  std::uint32_t despawn_chance = 3;
  std::uint32_t continuous_chance = 0;
  std::uint32_t single_use_chance = 30;
  bool reuses_ids = false;  ///< Spawns take the lowest id that is free.
};

/// A small world to which random things happen: what the tests of the past are played on.
class RandomWorld {
 public:
  RandomWorld(const RandomWorldOptions& options, std::uint64_t seed);

  void play_tick(collision::TickObserver* observer);

  const collision::World& world() const { return world_; }
  const collision::WorldConfig& config() const { return config_; }
  /// Of all that are there, ascending.
  const std::vector<collision::ObjectId>& ids() const { return ids_; }
  Random& random() { return random_; }
  collision::Point random_point();
  /// Of an object that is there: the tick of its spawn, and of its last teleport, or 0.
  collision::Tick born(collision::ObjectId id) const { return born_.at(id); }
  collision::Tick teleported(collision::ObjectId id) const { return teleported_.at(id); }

 private:
  static constexpr collision::Subunits kReach = 6'000;

  void spawn();
  void change(collision::ObjectId id);
  void move(collision::ObjectId id, collision::Point position);
  void alter(collision::ObjectId id);
  collision::Part random_part();
  std::vector<collision::Part> random_parts();
  collision::Motion random_motion();

  RandomWorldOptions options_;
  Random random_;
  collision::WorldConfig config_;
  collision::World world_;
  std::vector<collision::ObjectId> ids_;
  std::map<collision::ObjectId, collision::Tick> born_;
  std::map<collision::ObjectId, collision::Tick> teleported_;
  std::map<collision::ObjectId, collision::Point> steps_;  // Of their last moves.
  collision::ObjectId next_id_ = 1;
};

}  // namespace sweepd::property
