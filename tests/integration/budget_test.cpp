// SPDX-License-Identifier: MIT
//
// Protects the neighbours of a hostile match: a pile of boxes ends its own match with a reason, and its
// replay verifies; long questions and mass changes share the loop; a config that asks for too much is
// refused. On a server without budgets the pile holds its neighbours up for seconds.
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <thread>
#include <vector>

#include "base/sanitizers.h"
#include "integration/support/server_fixture.h"

namespace sweepd::test::budget_test {
namespace {

using ::testing::HasSubstr;

constexpr std::uint32_t kEnemy = 2;
// Of a machine that is busy with other things. Without budgets it is seconds.
const std::chrono::milliseconds kGapMax{base::kHasSanitizer ? 2'000 : 400};

class BudgetTest : public ServerTest {
 protected:
  void SetUp() override {
    start({"--loops", "1", "--data-dir", data_.path().string(), "--match-objects-max", "20000",
           "--match-parts-max", "20000"});
    client_.emplace(client());
    MatchConfig config = shooter_config(ClockKind::kRealtime);
    config.heartbeat_ticks = 1;
    neighbour_id_ = client_->create_match(config)->match_id;
    ASSERT_TRUE(eventually([&] { return client_->get_match(neighbour_id_)->tick > 0; }));
  }

  static MatchConfig pile_config(ClockKind clock) {
    MatchConfig config = shooter_config(clock);
    config.collides.push_back({"enemy", "enemy"});
    return config;
  }

  /// So many boxes on one spot, in as few frames as the server takes.
  void pile_up(Session& session, int boxes) {
    for (int i = 0; i < boxes; ++i) ASSERT_TRUE(session.spawn(object_at({0, 0}, kEnemy)).ok());
    ASSERT_TRUE(session.end_frame().ok());
  }

  /// The most that a tick of the neighbour has been late.
  std::chrono::microseconds lateness() { return client_->get_match(neighbour_id_)->timing->lateness_max; }

  TemporaryFolder data_;
  std::optional<Client> client_;
  std::string neighbour_id_;
};

TEST_F(BudgetTest, APileEndsItsMatchAndNotTheTicksOfItsNeighbour) {
  const auto match = client_->create_match(pile_config(ClockKind::kRealtime));
  ASSERT_TRUE(match.ok()) << match.status().message();
  EXPECT_TRUE(match->config.budgets.overlapping_pairs_max) << "as the server allows";
  Session session = joined(*client_, match->match_id, "pile", Role::kPlayer);
  pile_up(session, 4'000);
  ASSERT_TRUE(is_in(session, SessionState::kEnded));
  EXPECT_EQ(session.end_reason(), EndReason::kOverlappingPairs);
  EXPECT_EQ(client_->get_match(match->match_id)->end_reason, EndReason::kOverlappingPairs);
  EXPECT_LT(lateness(), kGapMax);
}

TEST_F(BudgetTest, TheReplayOfAMatchThatExceededABudgetVerifies) {
  const auto match = client_->create_match(pile_config(ClockKind::kManual));
  Session session = joined(*client_, match->match_id, "pile", Role::kPlayer);
  pile_up(session, 10);
  ASSERT_TRUE(client_->step_match(match->match_id, 1, true).ok());
  pile_up(session, 2'000);
  EXPECT_FALSE(client_->step_match(match->match_id, 1, true).ok());
  ASSERT_TRUE(is_in(session, SessionState::kEnded));
  EXPECT_EQ(session.end_reason(), EndReason::kOverlappingPairs);
  const std::vector<Event> events = drain(session);
  ASSERT_EQ(events.size(), 90u) << "45 ENTERs and their EXITs";
  EXPECT_EQ(events.back().tick, 2u);
  EXPECT_EQ(events.back().reason, ExitReason::kMatchEnded);
  const std::string path = (server().folder() / "pile.swpr").string();
  ASSERT_TRUE(eventually([&] { return client_->get_replay(match->match_id, path).ok(); }));
  const auto verification = client_->verify_replay_file(path);
  ASSERT_TRUE(verification.ok()) << verification.status().message();
  EXPECT_EQ(verification->verdict, ReplayVerdict::kVerified) << verification->what;
  EXPECT_EQ(verification->ticks_played, 2u);
  EXPECT_EQ(verification->final_digest, session.digest());
}

TEST_F(BudgetTest, TheReplayOfAMatchWithTooMuchToSeeVerifies) {
  MatchConfig config = pile_config(ClockKind::kManual);
  config.templates = {
      {.name = "eye", .shapes = {{.parts = {{centered_box(2, 2), 0}}}}, .spawn = {.alive_max = 1}}};
  config.visibility = {{Role::kPlayer, "enemy", Sight::kNear, "eye", 10}};
  config.budgets.tests_per_tick_max = 4;  // For the eye, and for three places.
  const auto match = client_->create_match(config);
  ASSERT_TRUE(match.ok()) << match.status().message();
  Session ann = joined(*client_, match->match_id, "ann", Role::kPlayer);
  Session stage = joined(*client_, match->match_id, "stage", Role::kStage);
  ASSERT_TRUE(ann.spawn("eye", {1'000, 0}).ok());
  ASSERT_TRUE(ann.end_frame().ok());
  pile_up(stage, 10);
  ASSERT_TRUE(client_->step_match(match->match_id, 1, true).ok());
  for (const double x : {300, 300, 500, 500, 600, 600, 800, 800})
    ASSERT_TRUE(stage.spawn(object_at({x, 0}, kEnemy)).ok());
  ASSERT_TRUE(stage.end_frame().ok());
  ASSERT_TRUE(ann.end_frame().ok()) << ann.error().message();
  EXPECT_FALSE(client_->step_match(match->match_id, 1, true).ok());
  ASSERT_TRUE(is_in(ann, SessionState::kEnded));
  ASSERT_TRUE(is_in(stage, SessionState::kEnded));
  EXPECT_EQ(ann.end_reason(), EndReason::kTests);
  EXPECT_EQ(drain(ann).size(), 0u) << "nothing was near";
  EXPECT_EQ(drain(stage).size(), 2u * (45 + 4));
  const std::string path = (server().folder() / "sight.swpr").string();
  ASSERT_TRUE(eventually([&] { return client_->get_replay(match->match_id, path).ok(); }));
  const auto verification = client_->verify_replay_file(path);
  ASSERT_TRUE(verification.ok()) << verification.status().message();
  EXPECT_EQ(verification->verdict, ReplayVerdict::kVerified) << verification->what;
  EXPECT_EQ(verification->ticks_played, 3u) << "the end comes after the tick that had too much";
  EXPECT_EQ(verification->final_digest, stage.digest());
}

TEST_F(BudgetTest, LongQuestionsOfManyAskersShareTheLoop) {
  constexpr int kObjects = 20'000;
  MatchConfig config = shooter_config(ClockKind::kManual);
  const auto match = client_->create_match(config);
  Session session = joined(*client_, match->match_id, "asker", Role::kPlayer);
  for (int i = 0; i < kObjects; ++i) {
    ASSERT_TRUE(session.spawn(object_at({i % 200 * 10.0, i / 200 * 10.0}, kEnemy)).ok());
    if (i % 2'000 == 1'999) {
      // One frame a step: a step waits for a frame of each player, not for all that have been sent.
      ASSERT_TRUE(session.end_frame().ok());
      ASSERT_TRUE(client_->step_match(match->match_id, 1, true).ok());
    }
  }
  ASSERT_EQ(client_->get_match(match->match_id)->objects, std::uint32_t{kObjects});
  std::vector<std::thread> askers;
  for (int i = 0; i < 8; ++i) {
    askers.emplace_back([this, &match] {
      Client client = this->client();
      for (int call = 0; call < 3; ++call) {
        EXPECT_EQ(client.get_world(match->match_id)->objects.size(), static_cast<std::size_t>(kObjects));
        EXPECT_TRUE(client.cast_ray(match->match_id, {-10, -10}, {2'500, 1'500}).ok());
      }
    });
  }
  for (std::thread& asker : askers) asker.join();
  EXPECT_LT(lateness(), kGapMax);
}

TEST_F(BudgetTest, PagesOfEncountersHaveAsMuchAsIsAskedForAndMissNone) {
  const auto match = client_->create_match(pile_config(ClockKind::kManual));
  Session session = joined(*client_, match->match_id, "pile", Role::kPlayer);
  pile_up(session, 60);
  ASSERT_TRUE(client_->step_match(match->match_id, 1, true).ok());
  const auto all = client_->list_encounters(match->match_id);
  ASSERT_TRUE(all.ok());
  EXPECT_EQ(all->size(), 1'770u) << "two pages";
  const auto of_one = client_->list_encounters(match->match_id, session.participant()->first_id);
  EXPECT_EQ(of_one->size(), 59u);
  ASSERT_TRUE(session.end_frame().ok());
  ASSERT_TRUE(client_->step_match(match->match_id, 1, true).ok());
  EXPECT_EQ(client_->list_encounters(match->match_id, 0, 1)->size(), 1'770u) << "in the past";
}

TEST_F(BudgetTest, MoreThanTheServerAllowsIsRefusedWithFieldAndLimit) {
  MatchConfig config = shooter_config(ClockKind::kManual);
  config.budgets.events_per_tick_max = 1'000'000'000;
  const auto refused = client_->create_match(config);
  EXPECT_EQ(refused.status().code(), ErrorCode::kInvalidArgument);
  EXPECT_EQ(refused.status().field(), "config.budgets.events_per_tick_max");
  EXPECT_THAT(refused.status().message(), HasSubstr("this server allows at most"));
  config.budgets.events_per_tick_max = 100;
  EXPECT_EQ(client_->create_match(config)->config.budgets.events_per_tick_max, 100u);
}

class BudgetOptions : public ServerTest {
  void SetUp() override {}
};

TEST_F(BudgetOptions, SayWhatAMatchHasAndWhichBroadphasesThereAre) {
  start({"--match-objects-max", "7", "--match-history-mib-max", "1", "--broadphases",
         "sweep_and_prune,approach"});
  Client client = this->client();
  MatchConfig config = shooter_config(ClockKind::kManual);
  EXPECT_EQ(client.create_match(config)->config.budgets.objects_max, 7u);
  config.broadphase = BroadphaseKind::kApproach;
  EXPECT_TRUE(client.create_match(config).ok());
  config.broadphase = BroadphaseKind::kBruteForce;
  const auto refused = client.create_match(config);
  EXPECT_EQ(refused.status().field(), "config.broadphase");
  EXPECT_THAT(refused.status().message(), HasSubstr("does not offer"));
}

}  // namespace
}  // namespace sweepd::test::budget_test
