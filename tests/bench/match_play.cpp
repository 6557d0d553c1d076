// SPDX-License-Identifier: MIT
#include "bench/match_play.h"

#include <algorithm>
#include <span>
#include <string>
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

using Kinds = std::vector<std::vector<collision::Part>>;

/// The list of parts that an object begins with: from the first of them.
std::vector<collision::Part> parts_from(std::span<const collision::PartChanges::Added> added) {
  const collision::Point at{added.front().box.min_x, added.front().box.min_y};
  std::vector<collision::Part> parts;
  for (const auto& one : added) {
    if (one.object != added.front().object) break;
    collision::Part& part = parts.emplace_back();
    part.box = {one.box.min_x - at.x, one.box.min_y - at.y, one.box.max_x - at.x, one.box.max_y - at.y};
    part.layer = one.layer;
  }
  return parts;
}

/// All that there are in a recording.
Kinds kinds_of(const scenes::Recording& recording) {
  Kinds kinds;
  for (const collision::PartChanges& tick : recording.ticks) {
    const std::span added(tick.added);
    for (std::size_t i = 0; i < added.size();) {
      std::vector<collision::Part> parts = parts_from(added.subspan(i));
      i += parts.size();
      if (std::ranges::find(kinds, parts) == kinds.end()) kinds.push_back(std::move(parts));
    }
  }
  return kinds;
}

match::ObjectTemplate template_of(const std::vector<collision::Part>& parts, std::size_t number) {
  const collision::LayerId layer = parts.front().layer;
  match::ObjectTemplate kind{
      .name = "kind " + std::to_string(number), .roles = {match::Role::kStage}, .shapes = {{parts}}};
  if (layer != scenes::kPlayer && layer != scenes::kShot) return kind;
  kind.speed_max = (1u << 31) - 1;
  kind.spawn.interval_ticks = 1;
  kind.spawn.burst = match::kPaceBurstMax;
  if (layer == scenes::kShot) kind.claim_layers = {{"enemy"}};
  return kind;
}

}  // namespace

match::MatchConfig MatchPlay::config_of_scene() const {
  match::MatchConfig config = config_of(recording_, options_.history_ticks);
  if (!options_.has_rules) {
    config.late_frames = match::LateFramePolicy::kApplyNext;
    return config;
  }
  config.late_frames = match::LateFramePolicy::kSpread;
  for (const auto& parts : kinds_) config.templates.push_back(template_of(parts, config.templates.size()));
  return config;
}

MatchPlay::MatchPlay(const scenes::Recording& recording, Options options)
    : recording_(recording),
      options_(options),
      object_of_(recording.parts_max),
      kinds_(options.has_rules ? kinds_of(recording) : Kinds()) {
  match_ = std::move(match::Match::create(config_of_scene()).value());
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
  if (options_.has_rules) {
    for (collision::ObjectSpec& spec : frame.spawns) {
      const auto kind = std::ranges::find(kinds_, spec.parts);
      spec.kind = static_cast<std::uint32_t>(kind - kinds_.begin()) + 1;
      spec.parts.clear();
    }
  }
  match_->apply(match::Submission{stage_, std::move(frame)});
}

}  // namespace sweepd::bench
