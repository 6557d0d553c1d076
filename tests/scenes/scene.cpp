// SPDX-License-Identifier: MIT
#include "scenes/scene.h"

#include <charconv>

#include "base/assert.h"
#include "scenes/population.h"

namespace sweepd::scenes {
namespace {

using collision::CollisionMatrix;

constexpr std::uint64_t kSeed = 20240229;

CollisionMatrix shooter_matrix() {
  CollisionMatrix matrix;
  for (const ShooterLayer layer : {kEnemy, kBullet, kPowerUp}) matrix.allow(kPlayer, layer);
  matrix.allow(kShot, kEnemy);
  return matrix;
}

CollisionMatrix single_layer_matrix() {
  CollisionMatrix matrix;
  matrix.allow(0, 0);
  return matrix;
}

Scene gunbird() {
  Scene scene{shooter_matrix(), Stage(kSeed)};
  scene.stage.add(player(), 2);
  scene.stage.add(shot(), 40);
  scene.stage.add(enemy(), 60);
  for (int boss = 0; boss < 4; ++boss) scene.stage.add_block(boss_part(4, 2), 4, 2);
  scene.stage.add(power_up(), 20);
  scene.stage.add(bullet(), 300);
  return scene;
}

Scene bullet_hell(bool is_column) {
  const auto placed = [is_column](const Role& role) { return is_column ? in_column(role) : role; };
  Scene scene{shooter_matrix(), Stage(kSeed + 1)};
  scene.stage.add(placed(player()), 4);
  scene.stage.add(placed(shot()), 400);
  scene.stage.add(placed(enemy()), 100);
  scene.stage.add(placed(bullet()), 5000);
  return scene;
}

Scene hail() {
  Scene scene{{}, Stage(kSeed + 2)};
  scene.matrix.allow(kPlayer, kBullet);
  scene.matrix.allow(kShot, kBullet);
  scene.stage.add(player(), 4);
  scene.stage.add(shot(), 2000);
  scene.stage.add(bullet(), 5000);
  return scene;
}

Scene boss_stream() {
  Scene scene = bullet_hell(false);
  scene.stage.churn(bullet(), 200);
  return scene;
}

Scene moertel(std::uint32_t count) {
  Scene scene{single_layer_matrix(), Stage(kSeed + 3)};
  scene.stage.add(scattered(), count);
  return scene;
}

Scene arena(std::uint32_t count, Habit habit) {
  Scene scene{single_layer_matrix(), Stage(kSeed + 4)};
  scene.stage.add(arena_box(count, habit), count);
  return scene;
}

Scene sleepy(std::uint32_t count) {
  Scene scene{single_layer_matrix(), Stage(kSeed + 5)};
  scene.stage.add(arena_box(count, Habit::kRests), count - count / 100);
  scene.stage.add(arena_box(count, Habit::kBounces), count / 100);
  return scene;
}

Scene mixed_sizes(std::uint32_t count) {
  Scene scene{single_layer_matrix(), Stage(kSeed + 6)};
  scene.stage.add(arena_box(count, Habit::kBounces), count - count / 100);
  scene.stage.add(enlarged(arena_box(count, Habit::kBounces), 20), count / 100);
  return scene;
}

/// Of `count` boxes on one spot, `restless` jitter; the others do as `habit` says.
Scene stack(std::uint32_t count, Habit habit, std::uint32_t restless) {
  Scene scene{single_layer_matrix(), Stage(kSeed + 7)};
  scene.stage.add_at(stacked(habit), count - restless, kStackPosition);
  scene.stage.add_at(stacked(Habit::kJitters), restless, kStackPosition);
  return scene;
}

struct Entry {
  const char* name;
  Scene (*make)();
};

constexpr Entry kEntries[] = {
    {"gunbird", gunbird},
    {"bullet_hell", [] { return bullet_hell(false); }},
    {"hail", hail},
    {"boss_stream", boss_stream},
    {"moertel_50", [] { return moertel(50); }},
    {"moertel_100", [] { return moertel(100); }},
    {"moertel_200", [] { return moertel(200); }},
    {"arena_1k", [] { return arena(1'000, Habit::kBounces); }},
    {"arena_10k", [] { return arena(10'000, Habit::kBounces); }},
    {"arena_100k", [] { return arena(100'000, Habit::kBounces); }},
    {"teleport", [] { return arena(10'000, Habit::kScatters); }},
    {"column", [] { return bullet_hell(true); }},
    {"stack500", [] { return stack(500, Habit::kDrifts, 0); }},
    {"stack500_rest", [] { return stack(500, Habit::kRests, 0); }},
    {"stack500_few", [] { return stack(500, Habit::kRests, 5); }},
    {"sleepy10k", [] { return sleepy(10'000); }},
    {"mixed_sizes", [] { return mixed_sizes(10'000); }},
};

}  // namespace

const std::vector<std::string>& scene_names() {
  static const std::vector<std::string> kNames = [] {
    std::vector<std::string> names;
    for (const Entry& entry : kEntries) names.emplace_back(entry.name);
    return names;
  }();
  return kNames;
}

Scene make_scene(std::string_view name) {
  for (const Entry& entry : kEntries) {
    if (name == entry.name) return entry.make();
  }
  constexpr std::string_view kArena = "arena_";
  std::uint32_t count = 0;
  SWEEPD_ASSERT(name.starts_with(kArena));
  std::from_chars(name.data() + kArena.size(), name.data() + name.size(), count);
  SWEEPD_ASSERT(count > 0);
  return arena(count, Habit::kBounces);
}

}  // namespace sweepd::scenes
