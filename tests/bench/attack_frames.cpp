// SPDX-License-Identifier: MIT
//
// Attacks by what is in frames and names.
#include <deque>
#include <limits>

#include "bench/attack_client.h"

namespace sweepd::bench {
namespace {

constexpr std::int32_t kLeast = std::numeric_limits<std::int32_t>::min();
constexpr std::int32_t kMost = std::numeric_limits<std::int32_t>::max();

/// Standard error is never read: descriptor 9 holds the pipe's other end.
constexpr const char* kFullPipe = R"(mkfifo "$0/log"; exec 9<>"$0/log" 2>"$0/log";)";

v1::Part widest_box() {
  v1::Part part;
  part.mutable_box()->set_min_x(kLeast);
  part.mutable_box()->set_min_y(kLeast);
  part.mutable_box()->set_max_x(kMost);
  part.mutable_box()->set_max_y(kMost);
  return part;
}

v1::Part widest_capsule() {
  v1::Part part;
  part.mutable_capsule()->set_a_x(kLeast);
  part.mutable_capsule()->set_b_x(kMost);
  part.mutable_capsule()->set_radius(kMost);
  return part;
}

v1::Frame extreme_frame(std::uint32_t first_id) {
  v1::Frame frame;
  *frame.add_spawns() = side_by_side(0);
  for (const v1::Part& part : {widest_box(), widest_capsule()}) {
    *frame.add_spawns()->add_parts() = part;
    v1::Reshape& reshape = *frame.add_reshapes();
    reshape.set_object_id(first_id);
    *reshape.add_parts() = part;
  }
  for (int i = 0; i < frame.spawns_size(); ++i)
    frame.mutable_spawns(i)->set_object_id(first_id + static_cast<std::uint32_t>(i));
  return frame;
}

void send_extremes(const AttackTarget& target) {
  while (target.goes_on()) {
    HostileMatch match(target, hostile_config(v1::CLOCK_KIND_REALTIME));
    AttackTarget::pause();
    if (!match.is_created()) continue;
    HostilePlayer player(match, "extreme");
    while (target.goes_on() && player.send(extreme_frame(player.first_id()))) AttackTarget::pause();
  }
}

/// Each of 32 players looks at all of 60,000 objects 16 times a tick.
void freeze_everything(const AttackTarget& target) {
  v1::MatchConfig config = hostile_config(v1::CLOCK_KIND_REALTIME);
  config.clear_collides();
  HostileMatch match(target, config);
  if (!match.is_created()) return;
  std::deque<HostilePlayer> players;
  for (int i = 0; i < 32; ++i) players.emplace_back(match, "freezer " + std::to_string(i));
  players.front().spawn(60'000, flying);
  v1::Frame frame;
  for (int i = 0; i < 16; ++i) frame.add_freezes();
  while (target.goes_on()) {
    for (HostilePlayer& player : players) player.send(frame);
    AttackTarget::pause();
  }
}

/// The matches and their players stay.
void spawn_in_a_rush(const AttackTarget& target) {
  std::deque<HostileMatch> matches;
  std::deque<HostilePlayer> players;
  while (target.goes_on()) {
    HostileMatch& match = matches.emplace_back(target, hostile_config(v1::CLOCK_KIND_REALTIME));
    if (match.is_created() && players.emplace_back(match, "spawner").spawn(60'000, side_by_side)) continue;
    AttackTarget::pause();
  }
}

/// Two bytes that are no UTF-8, as the first field of a request and deeper in it.
void call_names_that_are_no_text(const AttackTarget& target) {
  using test::RawHttp2;
  in_threads(4, [&target](int) {
    while (target.goes_on()) {
      RawHttp2 connection(target.door, hostile_http2(target));
      for (std::uint32_t stream = 1; target.goes_on(); stream += 4) {
        const bool is_taken = connection.send(
            RawHttp2::call(stream, "/sweepd.v1.MatchService/GetMatch", "\x0a\x02\xff\xfe") +
            RawHttp2::call(stream + 2, "/sweepd.v1.MatchService/CreateMatch", "\x0a\x04\x12\x02\xff\xfe"));
        if (!is_taken || !connection.drain()) break;
      }
      AttackTarget::pause();
    }
  });
}

}  // namespace

std::vector<Attack> frame_attacks() {
  return {
      {"1", "boxes and capsules of the whole range", send_extremes},
      {"3e", "freezes of 60,000 objects, by 32 players", freeze_everything},
      {"3f", "60,000 spawns, again and again in new matches", spawn_in_a_rush},
      {"5", "names of malformed UTF-8, standard error a full pipe", call_names_that_are_no_text, kFullPipe},
      {"5 front", "the same through the front", call_names_that_are_no_text, kFullPipe, true},
  };
}

}  // namespace sweepd::bench
