// SPDX-License-Identifier: MIT
#include "scenes/population.h"

#include "scenes/scene.h"

namespace sweepd::scenes {
namespace {

using collision::Box;
using collision::LayerId;
using collision::Subunits;

constexpr Subunits kUnit = 256;
constexpr Box kPlayfield{0, 0, 480 * kUnit, 640 * kUnit};

constexpr std::uint32_t square_root(std::uint64_t value) {
  std::uint64_t root = 0;
  while ((root + 1) * (root + 1) <= value) ++root;
  return static_cast<std::uint32_t>(root);
}

/// Every velocity of a length between the two, in whatever direction.
Speeds any_direction(Subunits length_min, Subunits length_max) {
  return {{-length_max, -length_max, length_max, length_max}, length_min, length_max};
}

/// Stays on the playfield, of any velocity up to `speed` units a tick.
Role resident(LayerId layer, Subunits width, Subunits height, Subunits speed) {
  Role role;
  role.layer = layer;
  role.habit = Habit::kBounces;
  role.width_min = role.width_max = width * kUnit;
  role.height_min = role.height_max = height * kUnit;
  role.range = {0, 0, kPlayfield.max_x - role.width_max, kPlayfield.max_y - role.height_max};
  role.entry = role.range;
  role.speeds = any_direction(1, speed * kUnit);
  return role;
}

/// Flies over the playfield until no part of it is on it.
Role visitor(LayerId layer, Subunits width, Subunits height, const Speeds& speeds) {
  Role role = resident(layer, width, height, 1);
  role.habit = Habit::kFlies;
  role.range = {-role.width_max, -role.height_max, kPlayfield.max_x, kPlayfield.max_y};
  role.entry = role.range;
  role.speeds = speeds;
  return role;
}

}  // namespace

Role player() { return resident(kPlayer, 6, 6, 4); }

Role shot() {
  Role role = visitor(kShot, 8, 16, {{-kUnit, -6 * kUnit, kUnit, -4 * kUnit}});
  role.entry.min_y = role.entry.max_y - 16 * kUnit;  // It comes from below.
  return role;
}

Role enemy() { return resident(kEnemy, 32, 32, 2); }

Role boss_part(std::uint32_t columns, std::uint32_t rows) {
  Role role = resident(kEnemy, 48, 48, 1);
  role.range.max_x = kPlayfield.max_x - static_cast<Subunits>(columns) * role.width_max;
  role.range.max_y = kPlayfield.max_y - static_cast<Subunits>(rows) * role.height_max;
  return role;
}

Role bullet() { return visitor(kBullet, 6, 6, any_direction(kUnit, 6 * kUnit)); }

Role power_up() {
  Role role = visitor(kPowerUp, 16, 16, {{-kUnit / 4, kUnit / 2, kUnit / 4, kUnit}});
  role.entry.max_y = role.entry.min_y + 16 * kUnit;  // It comes from above.
  return role;
}

Role in_column(const Role& role) {
  Role column = role;
  for (Box* range : {&column.range, &column.entry}) {
    range->min_x = 239 * kUnit;
    range->max_x = 241 * kUnit;
  }
  column.speeds.range.min_x = column.speeds.range.max_x = 0;
  return column;
}

Role scattered() {
  Role role = resident(0, 30, 30, 1);
  role.habit = Habit::kScatters;
  role.range = {0, 0, (640 - 30) * kUnit, (480 - 30) * kUnit};
  return role;
}

Role arena_box(std::uint32_t count, Habit habit) {
  // Boxes of side s meet where their corners are closer than s on both axes: (2 s)² of an area of 4 s² a box.
  constexpr Subunits kSide = 16 * kUnit;
  const auto side = static_cast<Subunits>(square_root(std::uint64_t{count} * 4 * kSide * kSide));
  Role role;
  role.habit = habit;
  role.width_min = role.height_min = kSide * 3 / 4;
  role.width_max = role.height_max = kSide * 5 / 4;
  role.range = role.entry = {0, 0, side, side};
  role.speeds = any_direction(1, kUnit);
  return role;
}

Role enlarged(const Role& role, std::int32_t times) {
  Role large = role;
  for (Subunits* length : {&large.width_min, &large.width_max, &large.height_min, &large.height_max}) {
    *length *= times;
  }
  return large;
}

Role stacked(Habit habit) {
  Role role;
  role.habit = habit;
  role.width_min = role.width_max = role.height_min = role.height_max = 16 * kUnit;
  role.speeds = habit == Habit::kDrifts ? Speeds{{37, -21, 37, -21}} : any_direction(1, kUnit);
  return role;
}

}  // namespace sweepd::scenes
