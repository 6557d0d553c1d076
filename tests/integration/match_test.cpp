// SPDX-License-Identifier: MIT
//
// Protects the main job: several clients on one match, each on a connection of its own, get exactly the
// events that the rules demand, the same for all, with either clock and from any loop of the server.
#include "integration/support/manual_match.h"

namespace sweepd::test::match_test {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> lines(const std::vector<Event>& events) {
  std::vector<std::string> result;
  for (const Event& event : events) result.push_back(to_line(event));
  return result;
}

class CoopMatch : public ManualMatchTest {};

TEST_F(CoopMatch, EveryParticipantGetsTheSameEncounters) {
  begin();
  Session player = joined(*client_, match_id_, "player", Role::kPlayer);
  Session stage = joined(*client_, match_id_, "stage", Role::kStage);
  const ObjectId ship = *player.spawn(object_at({0, 0}, 0));
  const ObjectId bullet = *stage.spawn(object_at({8, 0}, 3));  // The edges touch: closed intervals overlap.
  ASSERT_TRUE(player.end_frame(1).ok());
  ASSERT_TRUE(stage.end_frame(1).ok());
  step();
  ASSERT_TRUE(stage.move(bullet, {8 + 1.0 / 256, 0}).ok());
  ASSERT_TRUE(player.end_frame(2).ok());
  ASSERT_TRUE(stage.end_frame(2).ok());
  step();

  const std::string pair = std::to_string(ship) + " " + std::to_string(bullet);
  const auto seen = events_through(player, 2);
  EXPECT_THAT(lines(seen), ElementsAre("1 enter " + pair, "2 exit " + pair + " MOVED"));
  EXPECT_THAT(lines(events_through(stage, 2)), ElementsAre("1 enter " + pair, "2 exit " + pair + " MOVED"));
  EXPECT_EQ(seen[0].sequence_number, 1u);
  EXPECT_EQ(seen[1].sequence_number, 2u);
  EXPECT_EQ(player.digest(), stage.digest());
}

TEST_F(CoopMatch, ServerMotionCarriesABulletThroughAShip) {
  begin();
  Session player = joined(*client_, match_id_, "player", Role::kPlayer);
  Session stage = joined(*client_, match_id_, "stage", Role::kStage);
  ASSERT_TRUE(player.spawn(object_at({0, 0}, 0, 4)).ok());
  ObjectSpec bullet = object_at({-20, 0}, 3, 4);
  bullet.motion = Motion{{4, 0}, {0, 0}};
  bullet.time_to_live_ticks = 30;
  ASSERT_TRUE(stage.spawn(bullet).ok());
  ASSERT_TRUE(player.end_frame(1).ok());
  ASSERT_TRUE(stage.end_frame(1).ok());
  step();
  run(40);
  const auto events = events_through(player, 41);
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].tick, 4u);  // At -20 + 4 * 4 the gap to the ship is closed.
  EXPECT_EQ(events[1].tick, 7u);
  EXPECT_EQ(client_->get_match(match_id_)->objects, 1u) << "the bullet's time to live is over";
}

TEST_F(CoopMatch, AMotionMatchOnTheRealtimeClockAgreesWithItself) {
  begin(shooter_config(ClockKind::kRealtime));
  Session player = joined(*client_, match_id_, "player", Role::kPlayer);
  Session stage = joined(*client_, match_id_, "stage", Role::kStage);
  const ObjectId ship = *player.spawn(object_at({0, 0}, 0));
  ASSERT_TRUE(player.end_frame().ok());
  for (int i = 0; i < 20; ++i) {
    ObjectSpec bullet = object_at({-100.0 - 10 * i, 0}, 3);
    bullet.motion = Motion{{5, 0}, {0, 0}};
    ASSERT_TRUE(stage.spawn(bullet).ok());
  }
  ASSERT_TRUE(stage.end_frame().ok());
  std::vector<Event> seen_by_player;
  ASSERT_TRUE(eventually([&] {
    for (const Event& event : drain(player)) seen_by_player.push_back(event);
    return seen_by_player.size() >= 40;
  }));
  ASSERT_TRUE(client_->end_match(match_id_).ok());
  ASSERT_TRUE(eventually(
      [&] { return player.state() == SessionState::kEnded && stage.state() == SessionState::kEnded; }));
  EXPECT_EQ(lines(seen_by_player), lines(drain(stage)));
  for (const Event& event : seen_by_player) EXPECT_TRUE(event.involves(ship));
}

TEST_F(CoopMatch, EndingTheMatchClosesEveryEncounter) {
  begin();
  Session player = joined(*client_, match_id_, "player", Role::kPlayer);
  ASSERT_TRUE(player.spawn(object_at({0, 0}, 0)).ok());
  ASSERT_TRUE(player.spawn(object_at({0, 0}, 2)).ok());
  ASSERT_TRUE(player.end_frame(1).ok());
  step();
  EXPECT_EQ(client_->list_encounters(match_id_)->size(), 1u);
  ASSERT_TRUE(client_->end_match(match_id_).ok());
  ASSERT_TRUE(is_in(player, SessionState::kEnded));
  const auto events = drain(player);
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[1].reason, ExitReason::kMatchEnded);
  EXPECT_EQ(client_->get_match(match_id_)->state, MatchState::kEnded)
      << "the server remembers it for a while";
  EXPECT_EQ(client_->end_match(match_id_).status().reason(), "MATCH_NOT_FOUND");
}

TEST_F(CoopMatch, ALateWatcherStartsFromTheOpenEncounters) {
  begin();
  Session player = joined(*client_, match_id_, "player", Role::kPlayer);
  const ObjectId ship = *player.spawn(object_at({0, 0}, 0));
  const ObjectId enemy = *player.spawn(object_at({0, 0}, 2));
  ASSERT_TRUE(player.end_frame(1).ok());
  step();
  Watcher watcher = client_->watch(match_id_);
  ASSERT_TRUE(is_in(watcher, SessionState::kJoined));
  ASSERT_EQ(watcher.encounters_at_start().size(), 1u);
  EXPECT_EQ(watcher.encounters_at_start()[0].object_a, ship);
  EXPECT_EQ(watcher.encounters_at_start()[0].object_b, enemy);
  ASSERT_TRUE(player.despawn(enemy).ok());
  ASSERT_TRUE(player.end_frame(2).ok());
  step();
  ASSERT_TRUE(eventually([&] { return watcher.tick() >= 2; }));
  const auto events = drain(watcher);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].reason, ExitReason::kDespawned);
  EXPECT_EQ(events[0].sequence_number, 2u);
}

TEST_F(CoopMatch, AStreamThatReachesAnotherLoopThanItsMatchWorksToo) {
  stopped_by_test_ = true;
  start({"--loops", "2"});
  Client direct = server().client(true);
  Client indirect = server().client(false);
  for (int i = 0; i < 8; ++i) {  // Connections and matches spread over the loops: some pairs are apart.
    const std::string match_id = direct.create_match(shooter_config(ClockKind::kManual))->match_id;
    Session near = joined(direct, match_id, "near", Role::kPlayer);
    Session far = joined(indirect, match_id, "far", Role::kStage);
    ASSERT_TRUE(near.spawn(object_at({0, 0}, 0)).ok());
    ASSERT_TRUE(far.spawn(object_at({1, 1}, 3)).ok());
    ASSERT_TRUE(near.end_frame(1).ok());
    ASSERT_TRUE(far.end_frame(1).ok());
    ASSERT_TRUE(direct.step_match(match_id, 1, true).ok());
    EXPECT_EQ(lines(events_through(far, 1)), lines(events_through(near, 1)));
    EXPECT_EQ(indirect.list_encounters(match_id)->size(), 1u);
  }
}

/// Every layer collides with every layer, and all names are as long as they may be.
MatchConfig large_config() {
  MatchConfig config = shooter_config(ClockKind::kManual);
  config.layers.clear();
  config.collides.clear();
  for (int i = 10; i < 74; ++i) config.layers.push_back(std::string(62, 'x') + std::to_string(i));
  for (std::size_t a = 0; a < config.layers.size(); ++a)
    for (std::size_t b = a; b < config.layers.size(); ++b)
      config.collides.push_back({.layer_a = config.layers[a], .layer_b = config.layers[b]});
  return config;
}

TEST_F(CoopMatch, LargeMatchesAreListedInPagesThatAMessageHolds) {
  client_.emplace(client());
  constexpr std::size_t kMatches = 20;  // More than 4 MiB together.
  for (std::size_t i = 0; i < kMatches; ++i) {
    const auto match = client_->create_match(large_config());
    ASSERT_TRUE(match.ok()) << match.status().message();
  }
  const auto matches = client_->list_matches();
  ASSERT_TRUE(matches.ok()) << matches.status().message();
  ASSERT_EQ(matches->size(), kMatches);
  for (const MatchInfo& match : *matches) EXPECT_EQ(match.config.collides.size(), 2'080u);
}

}  // namespace
}  // namespace sweepd::test::match_test
