// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "collision/world.h"
#include "property/random.h"
#include "property/reference_world.h"

namespace sweepd::property {

/// What a kind of scene is like. Rates are per tick, chances in percent.
struct SceneOptions {
  const char* name = "";
  std::uint32_t ticks = 60;
  std::uint32_t layers = 4;
  std::uint32_t matrix_chance = 50;  ///< That two layers collide.
  collision::Box area;               ///< Where objects are put.
  collision::Subunits grid =
      1;  ///< Coordinates are multiples: equal and touching edges are common on a coarse one.
  collision::Subunits size_max = 0;  ///< Half of a part's.
  std::uint32_t parts_max = 1;
  collision::Subunits step_max = 0;  ///< Of small moves and of speeds.
  std::uint32_t objects_at_start = 0;
  std::uint32_t objects_max = 100;
  std::uint32_t spawns = 2;
  std::uint32_t burst_chance = 0;  ///< Of `burst` objects spawned at one point.
  std::uint32_t burst = 0;
  std::uint32_t motion_chance = 30;  ///< That an object is spawned with motion.
  std::uint32_t accelerated_chance = 30;
  std::uint32_t outside_chance = 30;  ///< That it is to despawn outside the playfield.
  std::uint32_t time_to_live_chance = 20;
  std::uint32_t step_chance = 30;  ///< That an object is moved a little.
  std::uint32_t quiet_chance =
      0;  ///< That in a tick most objects of one layer step, or none, and nothing else happens.
  std::uint32_t teleports = 1;
  std::uint32_t despawns = 1;
  std::uint32_t reshapes = 1;
  std::uint32_t layer_changes = 1;
  std::uint32_t disables = 1;
  std::uint32_t mistakes = 1;  ///< Changes that are mostly refused.
  std::uint32_t owner_leaves_chance = 3;
  std::uint32_t shape_chance = 0;       ///< That a part is no box.
  std::uint32_t continuous_chance = 0;  ///< That an object is continuous.
  // Of what contact does:
  std::uint32_t sensor_chance = 0;    ///< That a pair of layers only senses.
  std::uint32_t interval_chance = 0;  ///< That contact of a pair of layers takes hit points again and again.
  std::uint32_t single_use_chance = 0;  ///< That an object is used up by what it meets.
  std::uint32_t hit_points_chance = 0;  ///< That it can be destroyed,
  std::uint32_t damage_chance = 0;      ///< and that it can destroy.
  std::uint32_t strikes = 0;            ///< Hits that are not seen.
  std::uint32_t freezes = 0;
  std::uint32_t jumps = 0;  ///< Teleports without a way.
  std::uint32_t transfers = 0;
  std::uint32_t scroll_chance = 0;
};

/// Every kind of scene.
const std::vector<SceneOptions>& all_scenes();

/// How often each kind of event and reason was seen.
using Coverage = std::map<collision::ExitReason, std::uint64_t>;

/// A random scene, played at the same time in worlds that have to agree in everything: one of each
/// broadphase, and the reference.
class Scene {
 public:
  Scene(const SceneOptions& options, std::uint64_t seed);

  /// Plays to the end of the match, or to the first failure. Adds to `coverage`.
  void play(Coverage& coverage);

 private:
  void add_world(std::string name, collision::BroadphaseKind kind,
                 const collision::SectorGridSettings& sector_grid = {});
  template <typename Change>
  void change(Change change);
  void change_randomly();
  void spawn(collision::Point position);
  void step(collision::ObjectId id);
  void step_some();
  void step_layer(collision::LayerId layer);
  void act_randomly();
  void strike();
  void make_mistake();
  void owner_leaves();
  void judge();
  void end();
  void compare_worlds();
  void compare_answers();
  void check_log(std::span<const collision::Event> events);

  collision::ObjectId pick();
  collision::Subunits on_grid(std::int64_t low, std::int64_t high) { return on_grid(low, high, random_); }
  collision::Subunits on_grid(std::int64_t low, std::int64_t high, Random& random) const;
  collision::Point random_point();
  collision::Point random_point(Random& random) const;
  collision::Point random_step();
  collision::Part random_part();
  collision::Part random_box();
  collision::Part random_shape();
  std::vector<collision::Part> random_parts();

  SceneOptions options_;
  Random random_;
  collision::WorldConfig config_;
  struct NamedWorld {
    std::string name;
    collision::World world;
  };
  std::vector<NamedWorld> worlds_;
  ReferenceWorld reference_;
  Random question_random_;  // Its own, so that a scene does not depend on what is asked.
  collision::ObjectId next_id_ = 1;
  std::vector<collision::ObjectId> ids_;  // Living, ascending; as of the tick's beginning.

  // The log so far: what is open by it, and where it stands.
  std::map<collision::EncounterKey, collision::Tick> open_;
  std::uint64_t last_sequence_number_ = 0;
  Coverage seen_;
};

}  // namespace sweepd::property
