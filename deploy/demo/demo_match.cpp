// SPDX-License-Identifier: MIT
#include "demo_match.h"

namespace sweepd::demo {

namespace {

/// What players may spawn, and nothing else. A ship may make up for a second in which its game stood still.
std::vector<ObjectTemplate> player_templates() {
  ObjectTemplate ship{.name = "ship"};
  ship.shapes = {{{{centered_box(4, 4), kPlayer}, {centered_box(24, 24), kGraze}}}};
  ship.speed_max = kShipSpeed + 1.0 / 128;  // Positions are rounded.
  ship.speed_budget_ticks = kTickRateHz;
  ship.disable_max_ticks = kBlinkTicks;
  ship.disable_interval_ticks = kBlinkTicks;
  ship.spawn.alive_max = 1;
  ObjectTemplate shot{.name = "shot", .despawn_outside_playfield = true};
  shot.shapes = {{{{centered_box(4, 10), kPlayerShot}}}};
  shot.speed_max = kShotSpeed;
  shot.acceleration_max = 0;
  shot.time_to_live_max_ticks = 2 * kTickRateHz;
  shot.spawn = {.near = "ship", .distance_max = 24, .interval_ticks = kFramesPerShot, .burst = 8};
  return {ship, shot};
}

bool comes_of_a_stall(const std::string& reason) {
  return reason == "UNKNOWN_OBJECT" || reason == "TOO_FAST" || reason == "TOO_SOON" ||
         reason == "SPAWN_PLACE";
}

}  // namespace

MatchConfig demo_config() {
  MatchConfig config;
  config.name = "quickstart demo";
  config.layers = {"player", "graze", "player_shot", "enemy", "enemy_bullet", "item", "wreck"};
  config.collides = {{"player", "enemy"},
                     {"player", "enemy_bullet"},
                     {"player", "item"},
                     {"graze", "enemy_bullet"},
                     {"player_shot", "enemy"}};
  config.tick_rate_hz = kTickRateHz;
  config.playfield = Box{0, 0, kWidth, kHeight};
  config.start_after_participants = 3;
  config.templates = player_templates();
  return config;
}

Status take_refusals(Session& session, std::uint64_t& changes_too_late) {
  while (const auto refusal = session.poll_rejection()) {
    if (!comes_of_a_stall(refusal->reason)) {
      return Status(ErrorCode::kFailedPrecondition, "refused: " + refusal->reason + ": " + refusal->message);
    }
    ++changes_too_late;
  }
  return {};
}

}  // namespace sweepd::demo
