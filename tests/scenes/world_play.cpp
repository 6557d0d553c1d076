// SPDX-License-Identifier: MIT
#include "scenes/world_play.h"

namespace sweepd::scenes {
namespace {

using collision::Box;
using collision::Point;

collision::World make_world(const Recording& recording) {
  collision::WorldConfig config;
  config.layer_count = collision::kLayersMax;
  config.matrix = recording.matrix;
  return collision::World(config);
}

Point low_corner(const Box& box) { return {box.min_x, box.min_y}; }

Box relative(const Box& box, Point position) {
  return {box.min_x - position.x, box.min_y - position.y, box.max_x - position.x, box.max_y - position.y};
}

}  // namespace

WorldPlay::WorldPlay(const Recording& recording)
    : recording_(recording), world_(make_world(recording)), object_of_(recording.parts_max) {}

/// Parts of one object come one after the other.
void WorldPlay::lay_out_spawns(const collision::PartChanges& changes) {
  spawns_.clear();
  for (const auto& added : changes.added) {
    const bool is_first = spawns_.empty() || spawns_.back().id != added.object;
    if (is_first) {
      spawns_.push_back({});
      spawns_.back().id = added.object;
      spawns_.back().position = low_corner(added.box);
    }
    object_of_[added.part] = is_first ? added.object : 0;
    collision::Part part;
    part.box = relative(added.box, spawns_.back().position);
    part.layer = added.layer;
    spawns_.back().parts.push_back(part);
  }
}

void WorldPlay::lay_out_tick() {
  const collision::PartChanges& changes = recording_.ticks[next_tick_++];
  moves_.clear();
  despawns_.clear();
  for (const auto part : changes.removed) {
    if (object_of_[part] != 0) despawns_.push_back(object_of_[part]);
  }
  for (const auto& [part, box] : changes.moved) {
    if (object_of_[part] != 0) moves_.push_back({object_of_[part], low_corner(box)});
  }
  lay_out_spawns(changes);
}

std::span<const collision::Event> WorldPlay::run_tick() {
  for (const auto id : despawns_) world_.despawn(id);
  for (const auto& [id, position] : moves_) world_.move_to(id, position);
  for (const auto& spec : spawns_) world_.spawn(spec);
  return world_.finish_tick();
}

void WorldPlay::forget_all_but_world() {
  object_of_ = decltype(object_of_)();
  spawns_ = decltype(spawns_)();
  moves_ = decltype(moves_)();
  despawns_ = decltype(despawns_)();
}

}  // namespace sweepd::scenes
