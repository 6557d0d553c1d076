// SPDX-License-Identifier: MIT
#include "property/snapshot/random_match.h"

namespace sweepd::property {

using namespace match;  // NOLINT: this file speaks of nothing else.

namespace {

void add_scoring(MatchConfig& config) {
  config.scoring = {
      {.layer_a = "shot", .layer_b = "enemy", .when = ScoringMoment::kEnter, .points = 7},
      {.layer_a = "shot", .layer_b = "enemy", .when = ScoringMoment::kExit, .points = 2, .cooldown_ticks = 9},
      {.layer_a = "enemy",
       .layer_b = "shot",
       .when = ScoringMoment::kDestroyed,
       .points = 100,
       .credit = ScoringCredit::kOwnerOfB},
      {.layer_a = "graze",
       .layer_b = "bullet",
       .when = ScoringMoment::kContact,
       .points = 1,
       .cooldown_ticks = 3},
      {.layer_a = "player",
       .layer_b = "bullet",
       .when = ScoringMoment::kEnter,
       .points = -50,
       .once_per_object = true},
  };
}

void add_limits(MatchConfig& config, Random& random) {
  if (random.chance(50)) {
    config.limits.push_back({.role = Role::kPlayer, .objects_max = 12, .parts_max = 20, .frames_max = 2});
    if (random.chance(50)) config.limits.back().selection_interval_ticks = 20;
  }
  if (random.chance(70)) {
    config.layer_limits.push_back({.layer = "player", .speed_max = 400, .speed_budget_ticks = 4});
    config.layer_limits.push_back({.layer = "shot", .speed_max = 900, .speed_budget_ticks = 3});
  }
  if (random.chance(30)) config.layer_limits.push_back({.layer = "graze", .stay_in_playfield = true});
}

void add_slots(MatchConfig& config) {
  config.slots = {{.name = "stage", .role = Role::kStage, .first_id = 1, .last_id = 60},
                  {.name = "ann", .role = Role::kPlayer, .first_id = 0, .last_id = 0},
                  {.name = "bob", .role = Role::kPlayer, .first_id = 50, .last_id = 90},
                  {.name = "eye", .role = Role::kObserver, .first_id = 0, .last_id = 0}};
}

}  // namespace

MatchConfig random_config(std::uint64_t seed) {
  Random random(seed);
  MatchConfig config;
  config.layers = {"player", "shot", "enemy", "bullet", "graze", "item"};
  config.collides = {{"shot", "enemy", false, random.chance(50) ? 3u : 0u},
                     {"player", "bullet"},
                     {"graze", "bullet", true},
                     {"player", "enemy", false, 2},
                     {"player", "item"},
                     {"enemy", "enemy"}};
  config.playfield = {-3'000, -3'000, 3'000, 3'000};
  config.masks.push_back({.width = 3, .height = 2, .pixel_size = 100, .rows = {0b101, 0b110}});
  config.clock = random.chance(30) ? ClockKind::kLockstep : ClockKind::kManual;
  config.late_frames = static_cast<LateFramePolicy>(random.between(1, 3));
  config.max_lead_ticks = 12;
  config.max_late_ticks = 8;
  config.ids_per_participant = 32;
  config.objects_per_participant_max = 25;
  config.reconnect_ticks = random.chance(80) ? 5 : 0;
  const std::uint32_t kHistoryTicks[] = {0, 1, 7, 30, 200};
  config.history_ticks = kHistoryTicks[random.index(5)];
  config.claims.policy = random.chance(70) ? ClaimPolicy::kEnforce : ClaimPolicy::kWarn;
  if (config.claims.policy == ClaimPolicy::kEnforce && random.chance(90)) {
    config.collides[0] = {.layer_a = "shot", .layer_b = "enemy", .by_claims = true};
  }
  config.claims.hits_per_shot_max = static_cast<std::uint32_t>(random.index(3));
  config.stage_handover = random.chance(70) ? StageHandover::kLowestNumber : StageHandover::kNone;
  config.clearable_layers = {"bullet", "item"};
  if (random.chance(80)) add_scoring(config);
  add_limits(config, random);
  if (random.chance(30)) add_slots(config);
  return config;
}

Budgets random_budgets(std::uint64_t seed) {
  Random random(seed ^ 0xb0d6e75);
  const auto up_to = [&random](std::uint64_t most) {
    return static_cast<std::uint32_t>(1 + random.index(most));
  };
  Budgets budgets;
  if (random.chance(20)) budgets.objects_max = up_to(60);
  if (random.chance(20)) budgets.parts_max = up_to(120);
  if (random.chance(20)) budgets.overlapping_pairs_max = up_to(15);
  if (random.chance(20)) budgets.tests_per_tick_max = up_to(2'000);
  if (random.chance(20)) budgets.events_per_tick_max = up_to(8);
  if (random.chance(20)) budgets.selected_objects_max = up_to(100);
  return budgets;
}

}  // namespace sweepd::property
