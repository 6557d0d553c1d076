// SPDX-License-Identifier: MIT
//
// Shapes, a shot that cannot tunnel, and a choice of broadphase. client_sdk/README.md quotes its rules.
#include <sweepd/client.h>

#include <chrono>
#include <cstdio>
#include <thread>

namespace {

sweepd::MatchConfig shapes_config() {
  sweepd::MatchConfig config{.layers = {"ship", "shot"}, .collides = {{"ship", "shot"}}};
  config.masks = {sweepd::BitMask::from_text({"..##..", ".####.", "######"})};  // A unit a pixel.
  config.broadphase = sweepd::BroadphaseKind::kSectorGrid;  // The same log as every other, at another speed.
  sweepd::ObjectTemplate ship{.name = "ship"};
  ship.shapes = {{{sweepd::Part::mask(0, {-3, -1.5}, 0)}}};  // Exact to the pixel.
  sweepd::ObjectTemplate beam{.name = "beam"};
  beam.shapes = {{{sweepd::Part::capsule({-90, 40}, {90, 50}, 4, 1)}}};
  sweepd::ObjectTemplate shot{.name = "shot"};
  shot.shapes = {{{sweepd::Part::circle({0, 0}, 2, 1)}}};
  shot.continuous = true;  // It meets what it passes, and the events say when within the tick.
  shot.speed_max = 1000;
  config.templates = {ship, beam, shot};
  return config;
}

}  // namespace

int main(int argc, char** argv) {
  sweepd::Client client({.server = argc > 1 ? argv[1] : "127.0.0.1:7777"});
  const auto match = client.create_match(shapes_config());
  if (!match) return std::puts(match.status().message().c_str()), 1;
  auto session = client.join({.match_id = match->match_id, .name = "alice"});
  while (session.state() == sweepd::SessionState::kConnecting) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  for (const auto& id : {session.spawn("ship", {0, 0}), session.spawn("beam", {0, 0}),
                         session.spawn("shot", {-1500, 0}, sweepd::Motion{.velocity = {1000, 0}})}) {
    if (!id) return std::puts(id.status().message().c_str()), 1;
  }
  if (!session.end_frame()) return 1;
  bool has_passed = false;
  while (session.state() == sweepd::SessionState::kJoined && !has_passed) {
    const auto event = session.poll_event();
    if (!event) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      continue;
    }
    const bool is_enter = event->kind == sweepd::EventKind::kEnter;
    has_passed = event->reason == sweepd::ExitReason::kSwept;
    std::printf("tick %d: %s%s at %u/256\n", int(event->tick), is_enter ? "ENTER" : "EXIT ",
                is_enter ? "" : to_string(event->reason), event->time_of_impact);
  }
  return session.error() ? 0 : 1;
}
