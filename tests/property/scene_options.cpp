// SPDX-License-Identifier: MIT
#include "property/scene.h"

namespace sweepd::property {

using collision::Box;
using collision::kSubunitsMax;
using collision::kSubunitsMin;
using collision::kWholeRange;

namespace {

constexpr Box kField{0, 0, 480 * 256, 640 * 256};

/// Where contact has consequences.
void add_outcome_scenes(std::vector<SceneOptions>& scenes) {
  scenes.push_back({.name = "outcomes",
                    .ticks = 150,
                    .area = {0, 0, 4000, 4000},
                    .size_max = 200,
                    .parts_max = 2,
                    .step_max = 250,
                    .objects_at_start = 60,
                    .objects_max = 120,
                    .spawns = 8,
                    .sensor_chance = 25,
                    .interval_chance = 40,
                    .single_use_chance = 40,
                    .hit_points_chance = 50,
                    .damage_chance = 60,
                    .strikes = 2,
                    .freezes = 3,
                    .jumps = 3,
                    .transfers = 2,
                    .scroll_chance = 20});
  scenes.push_back({.name = "shots that are used up on their way",
                    .ticks = 150,
                    .area = {0, 0, 6000, 6000},
                    .size_max = 120,
                    .parts_max = 2,
                    .step_max = 2500,
                    .objects_at_start = 60,
                    .objects_max = 100,
                    .spawns = 10,
                    .motion_chance = 80,
                    .shape_chance = 20,
                    .continuous_chance = 50,
                    .sensor_chance = 25,
                    .interval_chance = 20,
                    .single_use_chance = 50,
                    .hit_points_chance = 50,
                    .damage_chance = 60,
                    .strikes = 1,
                    .freezes = 2,
                    .jumps = 3,
                    .scroll_chance = 10});
}

void add_shape_scenes(std::vector<SceneOptions>& scenes) {
  scenes.push_back({.name = "shapes",
                    .ticks = 120,
                    .area = {0, 0, 160, 160},
                    .size_max = 14,
                    .parts_max = 3,
                    .step_max = 6,
                    .objects_at_start = 40,
                    .objects_max = 60,
                    .shape_chance = 80});
  scenes.push_back({.name = "touching shapes",
                    .ticks = 120,
                    .area = {-10, -10, 10, 10},
                    .size_max = 4,
                    .parts_max = 2,
                    .step_max = 2,
                    .objects_at_start = 15,
                    .objects_max = 20,
                    .shape_chance = 80});
  // Steps many times as long as anything is large.
  scenes.push_back({.name = "shots",
                    .ticks = 120,
                    .area = {0, 0, 600, 600},
                    .size_max = 8,
                    .parts_max = 2,
                    .step_max = 120,
                    .objects_at_start = 60,
                    .objects_max = 80,
                    .step_chance = 60,
                    .shape_chance = 40,
                    .continuous_chance = 40});
  scenes.push_back({.name = "few shots among shapes that come and go",
                    .ticks = 120,
                    .area = {0, 0, 300, 300},
                    .size_max = 12,
                    .parts_max = 3,
                    .step_max = 60,
                    .objects_at_start = 40,
                    .objects_max = 50,
                    .spawns = 4,
                    .time_to_live_chance = 60,
                    .reshapes = 3,
                    .layer_changes = 3,
                    .disables = 4,
                    .shape_chance = 60,
                    .continuous_chance = 5});
  scenes.push_back({.name = "shots over the whole range",
                    .ticks = 80,
                    .matrix_chance = 100,
                    .area = kWholeRange,
                    .size_max = 200'000'000,
                    .step_max = 1'500'000'000,
                    .objects_at_start = 40,
                    .objects_max = 60,
                    .spawns = 4,
                    .outside_chance = 0,
                    .teleports = 4,
                    .continuous_chance = 50});
}

std::vector<SceneOptions> make_scenes() {
  std::vector<SceneOptions> scenes;
  // Coarse coordinates: equal ones, touching edges and points on edges all the time.
  scenes.push_back({.name = "touching",
                    .ticks = 150,
                    .area = {-12, -12, 12, 12},
                    .size_max = 3,
                    .parts_max = 3,
                    .step_max = 2,
                    .objects_at_start = 30,
                    .objects_max = 40,
                    .despawns = 2});
  scenes.push_back({.name = "many parts and layers",
                    .layers = 8,
                    .matrix_chance = 40,
                    .area = {0, 0, 400, 400},
                    .grid = 5,
                    .size_max = 60,
                    .parts_max = 12,
                    .step_max = 20,
                    .objects_at_start = 20,
                    .objects_max = 30,
                    .reshapes = 3,
                    .layer_changes = 5,
                    .disables = 2});
  scenes.push_back({.name = "all layers",
                    .layers = 64,
                    .matrix_chance = 20,
                    .area = {0, 0, 300, 300},
                    .size_max = 40,
                    .parts_max = 32,
                    .step_max = 20,
                    .objects_at_start = 10,
                    .objects_max = 14,
                    .reshapes = 2,
                    .layer_changes = 4});
  scenes.push_back({.name = "far corner",
                    .ticks = 120,
                    .area = {kSubunitsMax - 300, kSubunitsMax - 300, kSubunitsMax, kSubunitsMax},
                    .size_max = 40,
                    .parts_max = 3,
                    .step_max = 60,
                    .objects_at_start = 40,
                    .objects_max = 60,
                    .spawns = 8});
  scenes.push_back({.name = "near corner",
                    .ticks = 120,
                    .area = {kSubunitsMin, kSubunitsMin, kSubunitsMin + 300, kSubunitsMin + 300},
                    .size_max = 40,
                    .parts_max = 3,
                    .step_max = 60,
                    .objects_at_start = 40,
                    .objects_max = 60,
                    .spawns = 8});
  scenes.push_back({.name = "whole range",
                    .ticks = 100,
                    .area = kWholeRange,
                    .size_max = kSubunitsMax,
                    .parts_max = 2,
                    .step_max = kSubunitsMax / 4,
                    .objects_at_start = 40,
                    .objects_max = 60,
                    .spawns = 30,
                    .motion_chance = 50,
                    .teleports = 10});
  scenes.push_back({.name = "bullets on a field",
                    .ticks = 120,
                    .layers = 3,
                    .area = kField,
                    .size_max = 24 * 256,
                    .step_max = 12 * 256,
                    .objects_max = 150,
                    .spawns = 6,
                    .burst_chance = 10,
                    .burst = 40,
                    .motion_chance = 90,
                    .outside_chance = 90,
                    .step_chance = 5});
  scenes.push_back({.name = "fountain",
                    .ticks = 30,
                    .layers = 2,
                    .matrix_chance = 100,
                    .area = kField,
                    .size_max = 8 * 256,
                    .step_max = 20 * 256,
                    .objects_max = 700,
                    .burst_chance = 50,
                    .burst = 300,
                    .motion_chance = 90,
                    .outside_chance = 90,
                    .despawns = 20});
  scenes.push_back({.name = "teleports",
                    .ticks = 40,
                    .layers = 1,
                    .area = {0, 0, 20000, 20000},
                    .size_max = 600,
                    .step_max = 20000,
                    .objects_at_start = 400,
                    .objects_max = 450,
                    .step_chance = 90,
                    .teleports = 50});
  scenes.push_back({.name = "churn",
                    .ticks = 40,
                    .layers = 2,
                    .matrix_chance = 60,
                    .area = {0, 0, 9000, 9000},
                    .size_max = 400,
                    .parts_max = 2,
                    .step_max = 300,
                    .objects_at_start = 300,
                    .objects_max = 400,
                    .spawns = 100,
                    .despawns = 90,
                    .reshapes = 10,
                    .layer_changes = 10,
                    .disables = 20});
  scenes.push_back({.name = "mostly asleep",
                    .ticks = 60,
                    .layers = 1,
                    .area = {0, 0, 30000, 30000},
                    .size_max = 600,
                    .step_max = 500,
                    .objects_at_start = 600,
                    .objects_max = 640,
                    .motion_chance = 1,
                    .time_to_live_chance = 5,
                    .step_chance = 1});
  // Orders that are asked for in some ticks and not in others, of layers that changed in some of them and not
  // in others.
  scenes.push_back({.name = "now and then",
                    .ticks = 100,
                    .layers = 2,
                    .matrix_chance = 100,
                    .area = {0, 0, 30000, 30000},
                    .size_max = 600,
                    .step_max = 500,
                    .objects_at_start = 600,
                    .objects_max = 640,
                    .spawns = 3,
                    .motion_chance = 0,
                    .outside_chance = 0,
                    .time_to_live_chance = 0,
                    .step_chance = 1,
                    .quiet_chance = 60,
                    .despawns = 3});
  scenes.push_back({.name = "column",
                    .ticks = 25,
                    .layers = 2,
                    .matrix_chance = 100,
                    .area = {0, 0, 3, 200000},
                    .size_max = 900,
                    .step_max = 400,
                    .objects_at_start = 600,
                    .objects_max = 700,
                    .spawns = 20,
                    .outside_chance = 0});
  scenes.push_back({.name = "row",
                    .ticks = 25,
                    .layers = 2,
                    .matrix_chance = 100,
                    .area = {0, 7, 200000, 7},
                    .size_max = 900,
                    .step_max = 400,
                    .objects_at_start = 600,
                    .objects_max = 700,
                    .spawns = 20,
                    .outside_chance = 0});
  // More than 65,536 pairs at once, and runs of more than 256 entries in one sweep.
  scenes.push_back({.name = "stack",
                    .ticks = 6,
                    .layers = 1,
                    .matrix_chance = 100,
                    .area = {50, 50, 50, 50},
                    .size_max = 40,
                    .step_max = 2,
                    .objects_at_start = 600,
                    .objects_max = 600,
                    .outside_chance = 0,
                    .time_to_live_chance = 2});
  scenes.push_back({.name = "crowd",
                    .ticks = 12,
                    .layers = 3,
                    .area = {0, 0, 120000, 160000},
                    .size_max = 2000,
                    .step_max = 1500,
                    .objects_at_start = 1500,
                    .objects_max = 1500,
                    .spawns = 30,
                    .step_chance = 80,
                    .teleports = 5,
                    .despawns = 30});
  add_shape_scenes(scenes);
  add_outcome_scenes(scenes);
  return scenes;
}

}  // namespace

const std::vector<SceneOptions>& all_scenes() {
  static const std::vector<SceneOptions> scenes = make_scenes();
  return scenes;
}

}  // namespace sweepd::property
