// SPDX-License-Identifier: MIT
//
// The smallest program that plays a match: a ship, five bullets, and who hit whom. README.md quotes it.

#include <sweepd/client.h>

#include <cstdio>
#include <thread>

int main(int argc, char** argv) {
  sweepd::Client client({.server = argc > 1 ? argv[1] : "127.0.0.1:7777"});
  sweepd::MatchConfig config{.layers = {"player", "bullet"}, .collides = {{"player", "bullet"}}};
  config.templates = {
      {.name = "ship", .shapes = {{{{{-8, -8, 8, 8}, 0}}}}, .speed_max = 2},
      {.name = "bullet", .roles = {{sweepd::Role::kStage}}, .shapes = {{{{{-2, -2, 2, 2}, 1}}}}}};
  auto match = client.create_match(config);
  if (!match) return std::puts(match.status().message().c_str()), 1;
  auto player = client.join({.match_id = match->match_id, .name = "alice"});
  auto stage = client.join({.match_id = match->match_id, .name = "stage", .role = sweepd::Role::kStage});

  sweepd::ObjectId ship = 0;
  for (double x = 0; x < 200;) {  // The game loop: nothing in it waits for the network.
    std::this_thread::sleep_for(std::chrono::milliseconds(16));
    while (auto event = player.poll_event()) {
      const char* what = event->kind == sweepd::EventKind::kEnter ? "ENTER" : "EXIT";
      const char* why = to_string(event->reason);
      std::printf("tick %d: %s bullet %u %s\n", int(event->tick), what, event->other(ship), why);
    }
    if (!player.error() || !stage.error()) break;
    if (player.state() != sweepd::SessionState::kJoined || stage.state() != player.state()) continue;
    if (ship == 0) {
      for (double i = 1; i <= 5; ++i)  // The server moves the bullets by itself: each costs one message.
        if (!stage.spawn("bullet", {30 * i, -60 * i}, sweepd::Motion{.velocity = {0, 2}})) return 1;
      if (auto id = player.spawn("ship", {0, 0})) ship = *id;
      if (!stage.end_frame()) return 1;
    }
    if (!player.move(ship, {x++, 0}) || !player.end_frame()) break;
  }
  return std::puts(player.error() ? "done" : player.error().message().c_str()), !player.error();
}
