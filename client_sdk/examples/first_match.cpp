// SPDX-License-Identifier: MIT
//
// A ship, a row of bullets and who hit whom: the smallest program that plays a match. Between the markers it is what
// README.md quotes.
#include <sweepd/client.h>

#include <chrono>
#include <cstdio>
#include <thread>

namespace {

int fail(const sweepd::Status& status) {
  std::fprintf(stderr, "first_match: %s\n", status.message().c_str());
  return 1;
}

int play(const char* server) {
  // [readme]
  sweepd::Client client({.server = server});
  sweepd::MatchConfig config;
  config.layers = {"player", "enemy_bullet"};
  config.collides = {{"player", "enemy_bullet"}};
  const auto match = client.create_match(config);
  if (!match) return fail(match.status());

  auto player = client.join({.match_id = match->match_id, .name = "alice"});
  auto stage = client.join({.match_id = match->match_id, .name = "stage", .role = sweepd::Role::kStage});
  sweepd::ObjectId ship = 0;
  double x = 0;
  auto next_frame = std::chrono::steady_clock::now();
  for (int frame = 0; frame < 240; ++frame) {  // Four seconds of a game loop; no call in it waits for the network.
    const bool joined = player.state() == sweepd::SessionState::kJoined && stage.state() == player.state();
    if (joined && ship == 0) {
      ship = *player.spawn({.parts = {{sweepd::centered_box(16, 16), 0}}});
      for (int i = 1; i <= 5; ++i) {  // The server moves the bullets by itself: each costs one message.
        (void)stage.spawn({.position = {30.0 * i, -60.0 * i},
                           .parts = {{sweepd::centered_box(4, 4), 1}},
                           .motion = sweepd::Motion{.velocity = {0, 2}}});
      }
      if (auto sent = stage.end_frame(); !sent) return fail(sent);
    }
    if (joined) {
      if (auto moved = player.move(ship, {x, 0}); !moved) return fail(moved);
      if (auto sent = player.end_frame(); !sent) return fail(sent);
      x += 1;
    }
    while (auto event = player.poll_event()) {
      const char* what = event->kind == sweepd::EventKind::kEnter ? "ENTER" : "EXIT";
      std::printf("tick %d: %s bullet %u %s\n", static_cast<int>(event->tick), what, event->other(ship),
                  to_string(event->reason));
    }
    std::this_thread::sleep_until(next_frame += std::chrono::microseconds(16'667));
  }
  // [/readme]
  if (!player.error()) return fail(player.error());
  return 0;
}

}  // namespace

int main(int argc, char** argv) { return play(argc > 1 ? argv[1] : "127.0.0.1:7777"); }
