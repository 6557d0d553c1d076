// SPDX-License-Identifier: MIT
#include "property/world/random_match.h"

#include <gtest/gtest.h>

namespace sweepd::property::property_world {
namespace {

using match::Role;
using match::Sight;

constexpr std::size_t kPlayers = 3;

match::MatchConfig random_config(Random& random) {
  match::MatchConfig config;
  config.layers = {"ship", "shot", "item"};
  config.collides = {{"ship", "shot"}, {"ship", "item"}, {"shot", "item"}};
  config.playfield = {-3000, -3000, 3000, 3000};
  config.history_ticks = 40;
  config.retained_ticks = 60;
  config.tick_rate_hz = 20;
  config.object_tags = random.chance(80);
  if (random.chance(50)) config.stage_handover = match::StageHandover::kLowestNumber;
  for (collision::LayerId layer = 0; layer < 3; ++layer) {
    const collision::Part part{.box = {-20, -20, 20, 20}, .layer = layer};
    config.templates.push_back({.name = config.layers[layer],
                                .shapes = {{{part}}},
                                .hit_points = layer == RandomMatch::kShip ? 9u : 0u,
                                .damage = layer == RandomMatch::kShip ? 0u : 1u,
                                .may_teleport = true,
                                .disable_max_ticks = 10,
                                .disable_interval_ticks = 10,
                                .may_freeze = true,
                                .spawn = {.alive_max = 4}});
    for (const Role role : {Role::kPlayer, Role::kObserver}) {
      if (random.chance(50)) continue;
      match::VisibilityRule rule{.role = role, .layer = config.layers[layer]};
      rule.sees = static_cast<Sight>(random.between(1, 4));
      if (rule.sees == Sight::kNear) rule.near = "ship";
      if (rule.sees == Sight::kNear) rule.distance_max = static_cast<std::uint32_t>(random.between(0, 2000));
      config.visibility.push_back(rule);
    }
  }
  if (random.chance(30)) config.visibility.clear();
  if (random.chance(30)) config.observer_delay_ticks = static_cast<std::uint32_t>(random.between(1, 40));
  return config;
}

std::unique_ptr<match::Match> make(Random& random) {
  auto match = match::Match::create(random_config(random));
  EXPECT_TRUE(match.ok()) << (match.ok() ? "" : match.error().field + match.error().description);
  return std::move(*match);
}

}  // namespace

RandomMatch::RandomMatch(std::uint64_t seed) : random_(seed), match_(make(random_)) {
  for (std::size_t i = 0; i < kPlayers; ++i)
    players_.push_back(match_->apply(match::Join{"p" + std::to_string(i), Role::kPlayer})->number);
  stage_ = match_->apply(match::Join{"stage", Role::kStage})->number;
}

void RandomMatch::play() {
  for (const match::ParticipantNumber number : players_) {
    if (has_left(number)) continue;
    match_->apply(match::Submission{number, player_frame(number)});
  }
  if (!has_stage_left_) match_->apply(match::Submission{stage_, stage_frame()});
  if (match_->tick() == 100 && random_.chance(50)) {
    left_ = players_.back();
    match_->apply(match::Leave{*left_});
  }
  if (match_->tick() == 500 && random_.chance(50)) {
    has_stage_left_ = true;
    match_->apply(match::Leave{stage_});
  }
}

collision::Point RandomMatch::place(int most) {
  return {static_cast<int>(random_.between(-most, most)), static_cast<int>(random_.between(-most, most))};
}

collision::Motion RandomMatch::motion() {
  if (random_.chance(20)) return {};
  return {place(60), random_.chance(30) ? place(3) : collision::Point{}};
}

std::vector<collision::Part> RandomMatch::parts() {
  std::vector<collision::Part> parts(random_.chance(70) ? 1 : 3);
  for (collision::Part& part : parts) {
    const auto size = static_cast<int>(random_.between(0, 40));
    part = {.box = {-size, -size, size, size}, .layer = static_cast<collision::LayerId>(random_.index(3))};
  }
  return parts;
}

match::Frame RandomMatch::player_frame(match::ParticipantNumber number) {
  match::Frame frame;
  const match::ObjectId id =
      match_->find_participant(number)->first_id + static_cast<match::ObjectId>(random_.index(5));
  if (match_->find_object(id)) {
    change(id, frame);
  } else {
    collision::ObjectSpec spec;
    spec.id = id;
    spec.position = place();
    spec.motion = motion();
    spec.kind = static_cast<std::uint32_t>(random_.between(1, 3));
    spec.tag = static_cast<std::uint64_t>(random_.between(0, 1'000'000'000'000));
    frame.spawns = {spec};
  }
  return frame;
}

match::Frame RandomMatch::stage_frame() {
  match::Frame frame;
  const match::ObjectId first = match_->find_participant(stage_)->first_id;
  for (int i = 0; i < 3; ++i) {
    const match::ObjectId id = first + static_cast<match::ObjectId>(random_.index(kIdsMax));
    if (match_->find_object(id)) {
      change(id, frame);
      continue;
    }
    collision::ObjectSpec spec{.id = id, .position = place(), .parts = parts(), .motion = motion()};
    if (random_.chance(40)) spec.time_to_live_ticks = static_cast<std::uint32_t>(random_.between(1, 40));
    spec.despawn_outside_playfield = random_.chance(50);
    spec.continuous = random_.chance(20);
    spec.single_use = random_.chance(20);
    spec.hit_points = static_cast<std::uint32_t>(random_.between(0, 3));
    spec.damage = 1;
    if (random_.chance(60)) spec.tag = static_cast<std::uint64_t>(random_.between(0, 1'000'000'000'000));
    frame.spawns.push_back(spec);
  }
  if (random_.chance(3)) frame.scroll = place(500);
  if (random_.chance(3)) frame.transfers = {{.objects = {first, first + 1}, .to = players_.front()}};
  if (random_.chance(1)) frame.mass_despawns = {{.layers = {1}}};
  return frame;
}

void RandomMatch::change(match::ObjectId id, match::Frame& frame) {
  switch (random_.index(11)) {
    case 0:
      frame.despawns.push_back(id);
      break;
    case 1:
      frame.teleports.push_back({id, place()});
      break;
    case 2:
      frame.motions.push_back({id, motion()});
      break;
    case 3:
      frame.reshapes.push_back({id, parts()});
      break;
    case 4:
      frame.layer_changes.push_back({id, std::nullopt, static_cast<std::uint32_t>(random_.index(3))});
      break;
    case 5:
      frame.disables.push_back({id, match_->tick() + static_cast<match::Tick>(random_.between(2, 9))});
      break;
    case 6:
      frame.enables.push_back(id);
      break;
    case 7:
      frame.freezes.push_back({.layers = {static_cast<std::uint32_t>(random_.index(3))}});
      break;
    case 8:
      frame.releases.push_back({});
      break;
    default: {
      const collision::Point at = match_->find_object(id)->position;
      const collision::Point by = place(200);
      frame.moves.push_back({id, {at.x + by.x, at.y + by.y}});
    }
  }
}

TrueWorld RandomMatch::world() const {
  TrueWorld world;
  for (const match::ObjectId id : match_->object_ids()) {
    const collision::ObjectView view = *match_->find_object(id);
    world[id] = {.owner = view.owner,
                 .position = view.position,
                 .motion = view.is_frozen ? collision::Motion{} : view.motion,
                 .parts = {view.parts.begin(), view.parts.end()},
                 .template_number = match_->template_of(id),
                 .tag = view.tag,
                 .hit_points = view.hit_points,
                 .is_disabled = view.disabled_until != 0,
                 .is_frozen = view.is_frozen};
  }
  return world;
}

}  // namespace sweepd::property::property_world
