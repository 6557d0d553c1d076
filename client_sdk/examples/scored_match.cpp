// SPDX-License-Identifier: MIT
// A match that keeps hit points and score: a ship shoots an enemy until it is destroyed, bullets graze the
// ship, and a bomb clears them.
#include <sweepd/client.h>

#include <cstdio>
#include <thread>

/// What may exist: a player spawns ships and shots, and nothing else; so no score can be farmed.
std::vector<sweepd::ObjectTemplate> kinds() {
  sweepd::ObjectTemplate ship{.name = "ship", .speed_max = 4, .spawn = {.alive_max = 1}};
  ship.shapes = {{{{{-3, -3, 3, 3}, 0}, {{-30, -30, 30, 30}, 1}}}};
  sweepd::ObjectTemplate shot{.name = "shot", .damage = 1, .single_use = true, .continuous = true};
  shot.shapes = {{{{{-1, -4, 1, 4}, 2}}}};
  shot.speed_max = 20;
  shot.time_to_live_max_ticks = 60;
  shot.spawn = {.near = "ship", .distance_max = 8, .interval_ticks = 10, .burst = 3};
  sweepd::ObjectTemplate enemy{.name = "enemy", .roles = {{sweepd::Role::kStage}}, .hit_points = 3};
  enemy.shapes = {{{{{-12, -12, 12, 12}, 3}}}};
  sweepd::ObjectTemplate bullet{.name = "bullet", .roles = {{sweepd::Role::kStage}}};
  bullet.shapes = {{{{{-2, -2, 2, 2}, 4}}}};
  return {ship, shot, enemy, bullet};
}

sweepd::MatchConfig scored_config() {
  sweepd::MatchConfig config{.layers = {"ship", "graze", "shot", "enemy", "bullet"}};
  config.collides = {
      {"shot", "enemy"}, {"ship", "bullet"}, {.layer_a = "graze", .layer_b = "bullet", .sensor = true}};
  sweepd::ScoringRule kill{.layer_a = "enemy", .layer_b = "shot", .when = sweepd::ScoringMoment::kDestroyed};
  kill.points = 1000;
  kill.credit = sweepd::ScoringCredit::kOwnerOfB;  // To the shooter.
  sweepd::ScoringRule graze{.layer_a = "graze", .layer_b = "bullet", .points = 10};
  graze.once_per_object = true;  // Once per bullet.
  config.scoring = {kill, graze};
  config.clearable_layers = {"bullet"};
  config.limits = {
      {.role = sweepd::Role::kPlayer, .selection_interval_ticks = 600}};  // A bomb in ten seconds.
  config.templates = kinds();
  return config;
}

void spawn_stage(sweepd::Session& stage) {
  (void)stage.spawn("enemy", {0, -200});
  for (double x : {-20.0, 0.0, 20.0})
    (void)stage.spawn("bullet", {x, -100}, sweepd::Motion{.velocity = {0, 2}});
}

/// Shoots, and drops a bomb at the first graze; true if both had the effect that they should.
bool play(sweepd::Session& player) {
  bool is_destroyed = false;
  bool is_bombed = false;
  for (int frame = 0; frame < 300 && player.error() && !(is_destroyed && is_bombed); ++frame) {
    if (frame % 20 == 1) (void)player.spawn("shot", {0, 0}, sweepd::Motion{.velocity = {0, -20}});
    while (auto destruction = player.poll_destruction()) {
      std::printf("tick %d: enemy %u is destroyed\n", int(destruction->tick), destruction->object);
      is_destroyed = true;
    }
    while (auto event = player.poll_event()) {
      // Which of the two is a and which b, the ids say: those of who joined first are the smaller ones.
      const bool is_graze = event->layer_a == 1 || event->layer_b == 1;
      if (!is_graze || event->kind != sweepd::EventKind::kEnter) continue;
      const sweepd::ObjectId bullet = event->layer_a == 1 ? event->object_b : event->object_a;
      std::printf("tick %d: bullet %u grazes the ship\n", int(event->tick), bullet);
      if (!is_bombed) is_bombed = bool(player.despawn_all({.layers = {4}}));
    }
    (void)player.end_frame();
    std::this_thread::sleep_for(std::chrono::milliseconds(16));
  }
  return is_destroyed && is_bombed;
}

int main(int argc, char** argv) {
  sweepd::Client client({.server = argc > 1 ? argv[1] : "127.0.0.1:7777"});
  auto match = client.create_match(scored_config());
  if (!match) return std::puts(match.status().message().c_str()), 1;
  auto player = client.join({.match_id = match->match_id, .name = "ann"});
  auto stage = client.join({.match_id = match->match_id, .name = "stage", .role = sweepd::Role::kStage});
  const auto is_connecting = [](const auto& session) {
    return session.state() == sweepd::SessionState::kConnecting;
  };
  while (is_connecting(player) || is_connecting(stage))
    std::this_thread::sleep_for(std::chrono::milliseconds(16));

  spawn_stage(stage);
  (void)player.spawn("ship", {0, 0});
  if (!stage.end_frame() || !play(player)) return std::puts("that went wrong"), 1;
  const auto ended = client.end_match(match->match_id);
  if (!ended) return std::puts(ended.status().message().c_str()), 1;
  for (const sweepd::Score& score : ended->scores) {
    std::printf("%s has %d points\n", score.name.c_str(), int(score.score));
  }
  return 0;
}
