// SPDX-License-Identifier: MIT
#include "property/history/random_world.h"

#include <algorithm>
#include <cstdlib>

#include "collision/shapes/shape_check.h"

namespace sweepd::property {

using namespace collision;  // NOLINT: this file speaks of nothing else.

namespace {

constexpr std::uint32_t kLayers = 3;

WorldConfig world_config() {
  WorldConfig config;
  config.layer_count = kLayers;
  config.matrix.allow(0, 1);
  config.matrix.allow(1, 2);
  config.matrix.allow(2, 2);
  config.playfield = {-8'000, -8'000, 8'000, 8'000};
  config.masks.push_back(BitMask(3, 2, 100, {0b101, 0b011}));
  return config;
}

}  // namespace

RandomWorld::RandomWorld(const RandomWorldOptions& options, std::uint64_t seed)
    : options_(options), random_(seed), config_(world_config()), world_(config_) {}

void RandomWorld::play_tick(TickObserver* observer) {
  for (const ObjectId id : ids_) change(id);
  for (std::uint32_t i = 0; i < options_.spawns; ++i) spawn();
  world_.finish_tick(observer);
  std::erase_if(ids_, [this](ObjectId id) { return !world_.find(id); });
}

void RandomWorld::spawn() {
  if (ids_.size() >= options_.objects_max) return;
  ObjectId id = next_id_;
  if (options_.reuses_ids) {
    for (id = 1; std::ranges::binary_search(ids_, id);) ++id;
  }
  ObjectSpec spec{.id = id,
                  .owner = static_cast<OwnerId>(random_.index(3)),
                  .position = random_point(),
                  .parts = random_parts()};
  if (random_.chance(60)) spec.motion = random_motion();
  if (random_.chance(30)) spec.time_to_live_ticks = static_cast<std::uint32_t>(random_.between(1, 40));
  spec.despawn_outside_playfield = random_.chance(50);
  spec.single_use = random_.chance(options_.single_use_chance);
  if (random_.chance(30)) spec.hit_points = static_cast<std::uint32_t>(random_.between(1, 5));
  if (random_.chance(50)) spec.damage = 1;
  spec.continuous = random_.chance(options_.continuous_chance);
  if (!world_.spawn(spec).ok()) return;
  next_id_ = std::max(next_id_, id + 1);
  born_[id] = world_.tick() + 1;
  teleported_[id] = 0;
  ids_.insert(std::ranges::lower_bound(ids_, id), id);
}

void RandomWorld::change(ObjectId id) {
  const Point position = world_.find(id)->position;
  if (random_.chance(options_.move_chance)) move(id, position);
  if (random_.chance(options_.motion_chance)) world_.set_motion(id, random_motion());
  if (random_.chance(options_.alter_chance)) alter(id);
  if (random_.chance(options_.despawn_chance)) world_.despawn(id);
}

void RandomWorld::move(ObjectId id, Point position) {
  const auto last = steps_.find(id);
  const bool goes_on = options_.straight_chance > 0 && random_.chance(options_.straight_chance);
  Point step{};
  if (goes_on && last != steps_.end()) {
    step = last->second;
  } else {
    const bool jumps = random_.chance(options_.jump_chance);
    const auto dx = static_cast<Subunits>(random_.between(-200, 200));
    const auto dy = static_cast<Subunits>(random_.between(-200, 200));
    const Point to = jumps ? random_point() : Point{position.x + dx, position.y + dy};
    step = {to.x - position.x, to.y - position.y};
  }
  // Further than anything in such a world.
  if (std::abs(position.x + step.x) > 1'000'000 || std::abs(position.y + step.y) > 1'000'000) step = {};
  world_.move_to(id, {position.x + step.x, position.y + step.y});
  steps_[id] = step;
}

void RandomWorld::alter(ObjectId id) {
  switch (random_.index(9)) {
    case 0:
      world_.reshape(id, random_parts());
      break;
    case 1:
      world_.change_layer(id, std::nullopt, static_cast<std::uint32_t>(random_.index(kLayers)));
      break;
    case 2:
      world_.disable_until(id, kForever);
      break;
    case 3:
      world_.disable_until(id, world_.tick() + 1 + static_cast<Tick>(random_.between(1, 9)));
      break;
    case 4:
      world_.freeze(id);
      break;
    case 5:
      world_.release(id);
      break;
    case 6:
      world_.set_owner(id, static_cast<OwnerId>(random_.index(3)));
      break;
    case 7:
      world_.teleport_to(id, random_point());
      teleported_[id] = world_.tick() + 1;
      break;
    default:
      world_.enable(id);
  }
}

Part RandomWorld::random_part() {
  const auto layer = static_cast<LayerId>(random_.index(kLayers));
  const auto radius = static_cast<Subunits>(random_.between(0, 300));
  const auto x = static_cast<Subunits>(random_.between(-300, 300));
  const auto y = static_cast<Subunits>(random_.between(-300, 300));
  switch (random_.index(6)) {
    case 0:
      return *make_circle({x, y}, radius, layer);
    case 1:
      return *make_capsule({x, y}, {y, radius}, radius / 2, layer);
    case 2:
      return *make_mask({x, y}, 0, config_.masks[0], layer);
    default:
      return {.box = {x, y, x + radius, y + 300 - radius}, .layer = layer};
  }
}

std::vector<Part> RandomWorld::random_parts() {
  std::vector<Part> parts(1 + random_.index(random_.chance(20) ? 4 : 1));
  for (Part& part : parts) part = random_part();
  return parts;
}

Motion RandomWorld::random_motion() {
  const auto number = [this](Subunits most) { return static_cast<Subunits>(random_.between(-most, most)); };
  if (random_.chance(20)) return {};
  return {{number(150), number(150)}, random_.chance(40) ? Point{number(9), number(9)} : Point{}};
}

Point RandomWorld::random_point() {
  return {static_cast<Subunits>(random_.between(-kReach, kReach)),
          static_cast<Subunits>(random_.between(-kReach, kReach))};
}

}  // namespace sweepd::property
