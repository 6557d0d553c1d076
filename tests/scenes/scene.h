// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "collision/broadphase/broadphase.h"
#include "collision/layers.h"
#include "scenes/stage.h"

namespace sweepd::scenes {

/// A named scene, ready to be played: benchmarks, golden digests and property tests share these.
struct Scene {
  collision::CollisionMatrix matrix;
  Stage stage;
};

/// Layers of the scenes that are shoot-'em-ups; the others have layer 0 only.
enum ShooterLayer : collision::LayerId { kPlayer, kShot, kEnemy, kBullet, kPowerUp };

/// Of every scene, in the order in which tables list them.
const std::vector<std::string>& scene_names();

/// `name`: one of scene_names(), or "arena_" and a number of boxes.
Scene make_scene(std::string_view name);

/// Ticks of a scene, so that playing them costs nothing but reading.
struct Recording {
  std::string name;
  collision::CollisionMatrix matrix;
  std::vector<collision::PartChanges> ticks;  ///< The first adds everything.
  collision::Box bounds;                      ///< Of all boxes of all ticks.
  std::uint32_t parts_max = 0;                ///< One more than the largest handle.
};

Recording record(std::string_view name, std::uint32_t ticks);

}  // namespace sweepd::scenes
