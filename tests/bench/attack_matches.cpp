// SPDX-License-Identifier: MIT
//
// Attacks by matches: crowded ones, slow ones, many.
#include <deque>

#include "bench/attack_client.h"

namespace sweepd::bench {
namespace {

/// Where the server ends the match, another is made.
void crowd(const AttackTarget& target, int boxes, const Placement& place, v1::BroadphaseKind broadphase) {
  v1::MatchConfig config = hostile_config(v1::CLOCK_KIND_REALTIME);
  config.set_broadphase(broadphase);
  while (target.goes_on()) {
    AttackTarget::pause();
    HostileMatch match(target, config);
    if (!match.is_created()) continue;
    HostilePlayer player(match, "crowd");
    player.spawn(boxes, place);
    while (target.goes_on() && !player.is_over()) AttackTarget::pause();
  }
}

void pile_up_2000(const AttackTarget& target) {
  crowd(target, 2'000, on_one_spot, v1::BROADPHASE_KIND_SWEEP_AND_PRUNE);
}

void pile_up_4000(const AttackTarget& target) {
  crowd(target, 4'000, on_one_spot, v1::BROADPHASE_KIND_SWEEP_AND_PRUNE);
}

void choose_brute_force(const AttackTarget& target) {
  crowd(target, 20'000, side_by_side, v1::BROADPHASE_KIND_BRUTE_FORCE);
}

void step_in_a_loop(const AttackTarget& target) {
  HostileMatch match(target, hostile_config(v1::CLOCK_KIND_MANUAL));
  if (!match.is_created()) return;
  HostilePlayer player(match, "stepper");
  fill(match, player, 10'000, flying);
  in_threads(4, [&](int) {
    while (target.goes_on() && match.step(100'000)) continue;
  });
}

std::vector<std::string> create_matches(const AttackTarget& target, std::size_t count) {
  std::vector<std::string> ids;
  const auto channel = hostile_channel(target);
  for (int refused = 0; channel && target.goes_on() && refused < 20 && ids.size() < count;) {
    const HostileMatch match(target, hostile_config(v1::CLOCK_KIND_MANUAL), channel);
    if (match.is_created())
      ids.push_back(match.id());
    else
      ++refused;
  }
  return ids;
}

void take_all_matches(const AttackTarget& target) {
  create_matches(target, 20'000);
  target.wait_for_end();
}

/// It does not confirm the server's settings, which say how many streams a connection may have.
void take_all_streams(const AttackTarget& target) {
  using test::RawHttp2;
  const std::vector<std::string> match_ids = create_matches(target, 100);
  if (match_ids.empty()) return;
  RawHttp2 connection(target.door, hostile_http2(target));
  v1::PlayRequest request;
  request.mutable_join()->set_role(v1::ROLE_PLAYER);
  for (std::uint32_t i = 0; target.goes_on() && i < 20'000; ++i) {
    request.mutable_join()->set_match_id(match_ids[i % match_ids.size()]);
    request.mutable_join()->set_name(std::to_string(i));
    const std::string call =
        RawHttp2::call(2 * i + 1, "/sweepd.v1.MatchService/Play", request.SerializeAsString(), 0);
    if (!connection.send(call) || !connection.drain()) break;
  }
  target.wait_for_end();
}

void create_in_a_burst(const AttackTarget& target) {
  v1::MatchConfig config = hostile_config(v1::CLOCK_KIND_REALTIME);
  config.set_tick_rate_hz(240);
  in_threads(8, [&](int) {
    auto channel = hostile_channel(target);
    while (target.goes_on() && channel) {
      const HostileMatch match(target, config, channel);
      if (!match.is_created()) AttackTarget::pause();
    }
  });
}

}  // namespace

std::vector<Attack> match_attacks() {
  return {
      {"3a 2000", "2,000 boxes on one spot", pile_up_2000},
      {"3a 4000", "4,000 boxes on one spot", pile_up_4000},
      {"3b", "20,000 objects with BRUTE_FORCE", choose_brute_force},
      {"3g", "a busy MANUAL match stepped in a loop", step_in_a_loop},
      {"4e matches", "as many matches as one connection gets", take_all_matches},
      {"4e streams", "20,000 Play streams of one connection", take_all_streams},
      {"4e streams front", "the same through the front", take_all_streams, "", true},
      {"6", "bursts of creates of matches at 240 Hz", create_in_a_burst},
  };
}

}  // namespace sweepd::bench
