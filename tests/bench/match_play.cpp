// SPDX-License-Identifier: MIT
#include "bench/match_play.h"

#include <utility>

namespace sweepd::bench {
namespace {

match::MatchConfig config_of(const scenes::Recording& recording, std::uint32_t history_ticks) {
  match::MatchConfig config;
  config.layers = {"player", "shot", "enemy", "bullet", "power_up"};
  for (std::size_t a = 0; a < config.layers.size(); ++a) {
    for (std::size_t b = a; b < config.layers.size(); ++b) {
      if (!recording.matrix.allows(static_cast<collision::LayerId>(a), static_cast<collision::LayerId>(b)))
        continue;
      config.collides.push_back({config.layers[a], config.layers[b]});
    }
  }
  config.clock = match::ClockKind::kManual;
  config.history_ticks = history_ticks;
  return config;
}

}  // namespace

MatchPlay::MatchPlay(const scenes::Recording& recording, Options options)
    : recording_(recording),
      options_(options),
      match_(std::move(match::Match::create(config_of(recording, options.history_ticks)).value())),
      object_of_(recording.parts_max) {
  stage_ = match_->apply(match::Join{.name = "stage", .role = match::Role::kStage})->number;
}

bool MatchPlay::is_left_alone(collision::LayerId layer) const {
  return options_.bullets_move_themselves && layer == scenes::kBullet;
}

/// Parts of one object come one after the other.
void MatchPlay::append_spawn(const collision::PartChanges::Added& added, match::Frame& frame) {
  const bool is_first = frame.spawns.empty() || frame.spawns.back().id != added.object;
  if (is_first) {
    collision::ObjectSpec& spec = frame.spawns.emplace_back();
    spec.id = added.object;
    spec.position = {added.box.min_x, added.box.min_y};
    const auto speed = static_cast<collision::Subunits>(added.object % 512);
    if (is_left_alone(added.layer)) spec.motion.velocity = {speed - 256, speed + 128};
  }
  object_of_[added.part] = is_first && !is_left_alone(added.layer) ? added.object : 0;
  const collision::Point at = frame.spawns.back().position;
  collision::Part part;
  part.box = {added.box.min_x - at.x, added.box.min_y - at.y, added.box.max_x - at.x, added.box.max_y - at.y};
  part.layer = added.layer;
  frame.spawns.back().parts.push_back(part);
}

void MatchPlay::submit(const collision::PartChanges& changes) {
  match::Frame frame;
  for (const auto part : changes.removed) {
    if (object_of_[part] != 0) frame.despawns.push_back(object_of_[part]);
  }
  for (const auto& [part, box] : changes.moved) {
    if (object_of_[part] != 0) frame.moves.push_back({object_of_[part], {box.min_x, box.min_y}});
  }
  for (const auto& added : changes.added) append_spawn(added, frame);
  match_->apply(match::Submission{stage_, std::move(frame)});
}

}  // namespace sweepd::bench
