// SPDX-License-Identifier: MIT
// A match that keeps hit points and score: a ship shoots an enemy until it is destroyed, bullets graze the
// ship, and a bomb clears them.
#include <sweepd/client.h>

#include <cstdio>
#include <thread>

// [readme]
sweepd::MatchConfig scored_config() {
  sweepd::MatchConfig config{.layers = {"ship", "graze", "shot", "enemy", "bullet"}};
  config.collides = {
      {"shot", "enemy"}, {"ship", "bullet"}, {.layer_a = "graze", .layer_b = "bullet", .sensor = true}};
  sweepd::ScoringRule kill{.layer_a = "enemy", .layer_b = "shot", .when = sweepd::ScoringMoment::kDestroyed};
  kill.points = 1000;
  kill.credit = sweepd::ScoringCredit::kOwnerOfB;  // To whoever shot it.
  sweepd::ScoringRule graze{.layer_a = "graze", .layer_b = "bullet", .points = 10};
  graze.once_per_object = true;  // Once per bullet.
  config.scoring = {kill, graze};
  config.clearable_layers = {"bullet"};
  return config;
}
// [/readme]

void spawn_stage(sweepd::Session& stage) {
  sweepd::ObjectSpec enemy{.position = {0, -200}, .parts = {{{-12, -12, 12, 12}, 3}}};
  enemy.hit_points = 3;
  (void)stage.spawn(enemy);
  for (double x : {-20.0, 0.0, 20.0}) {
    sweepd::ObjectSpec bullet{.position = {x, -100}, .parts = {{{-2, -2, 2, 2}, 4}}};
    bullet.motion = sweepd::Motion{.velocity = {0, 2}};
    (void)stage.spawn(bullet);
  }
}

sweepd::ObjectSpec shot_from(sweepd::Vec2 position) {
  sweepd::ObjectSpec shot{.position = position, .parts = {{{-1, -4, 1, 4}, 2}}};
  shot.motion = sweepd::Motion{.velocity = {0, -20}};
  shot.continuous = true;
  shot.single_use = true;
  shot.damage = 1;
  shot.time_to_live_ticks = 60;
  return shot;
}

/// Shoots, and drops a bomb at the first graze; true if both had the effect that they should.
bool play(sweepd::Session& player) {
  bool is_destroyed = false;
  bool is_bombed = false;
  for (int frame = 0; frame < 300 && player.error() && !(is_destroyed && is_bombed); ++frame) {
    if (frame % 20 == 0) (void)player.spawn(shot_from({0, 0}));
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
  (void)player.spawn({.parts = {{{-3, -3, 3, 3}, 0}, {{-30, -30, 30, 30}, 1}}});
  if (!stage.end_frame() || !play(player)) return std::puts("that went wrong"), 1;
  const auto ended = client.end_match(match->match_id);
  if (!ended) return std::puts(ended.status().message().c_str()), 1;
  for (const sweepd::Score& score : ended->scores) {
    std::printf("%s has %d points\n", score.name.c_str(), int(score.score));
  }
  return 0;
}
