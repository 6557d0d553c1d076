// SPDX-License-Identifier: MIT
//
// Protects claims over the wire: verdicts come back to who claimed, warnings to who is to be warned, the
// server measures delays by itself, and a batch is judged without being remembered.
#include "integration/support/raw_stream.h"
#include "integration/support/server_fixture.h"
#include "sweepd/v1/query_service.grpc.pb.h"

namespace sweepd::test::claim_test {
namespace {

using ::testing::HasSubstr;

constexpr std::uint32_t kShot = 1;
constexpr std::uint32_t kEnemy = 2;

class ClaimTest : public ServerTest {
 protected:
  void start_match(ClaimPolicy policy, ClockKind clock = ClockKind::kRealtime) {
    client_.emplace(client());
    MatchConfig config = shooter_config(clock);
    config.claims.policy = policy;
    config.claims.tolerance_max = 4;
    if (policy == ClaimPolicy::kEnforce) {
      for (CollidingLayers& pair : config.collides) pair.by_claims = true;
    }
    // The bounds of views are for tests of their own: here a slow machine is no liar.
    config.history_ticks = 3'600;
    config.claims.rewind_ticks_max = 3'600;
    config.claims.delay_allowance_ticks = 3'600;
    match_id_ = client_->create_match(config)->match_id;
    player_.emplace(joined(*client_, match_id_, "player", Role::kPlayer));
    stage_.emplace(joined(*client_, match_id_, "stage", Role::kStage));
    shot_ = *player_->spawn(object_at({0, 0}, kShot));
    target_ = *stage_->spawn(object_at({10, 0}, kEnemy));  // Two units between them.
    ASSERT_TRUE(player_->end_frame().ok());
    ASSERT_TRUE(stage_->end_frame().ok());
    if (clock == ClockKind::kManual) {
      ASSERT_TRUE(client_->step_match(match_id_, 1, true).ok());
    }
    ASSERT_TRUE(eventually([&] { return client_->get_match(match_id_)->objects == 2; }));
  }

  std::optional<ClaimVerdict> next_verdict() {
    std::optional<ClaimVerdict> verdict;
    eventually([&] { return (verdict = player_->poll_verdict()).has_value(); });
    return verdict;
  }

  /// Of a tick in which both are there.
  Tick tick_seen() {
    const Tick now = client_->get_match(match_id_)->tick;
    EXPECT_TRUE(eventually([&] { return player_->tick() >= now; }));
    return player_->tick();
  }

  std::optional<Client> client_;
  std::optional<Session> player_;
  std::optional<Session> stage_;
  std::string match_id_;
  ObjectId shot_ = 0;
  ObjectId target_ = 0;
};

TEST_F(ClaimTest, TheVerdictComesBackWithItsEvidence) {
  start_match(ClaimPolicy::kObserve);
  const Tick seen = tick_seen();
  const auto number = player_->claim_hit(shot_, target_, seen, 2);
  ASSERT_TRUE(number.ok()) << number.status().message();
  ASSERT_TRUE(player_->end_frame().ok());
  const auto verdict = next_verdict();
  ASSERT_TRUE(verdict);
  EXPECT_STREQ(to_string(verdict->verdict), "CONFIRMED");
  EXPECT_EQ(verdict->number, *number);
  EXPECT_EQ(verdict->tick_judged, seen);
  EXPECT_EQ(verdict->claimant, player_->participant()->number);
  ASSERT_TRUE(verdict->evidence);
  EXPECT_EQ(verdict->evidence->margin, 2);
  EXPECT_EQ(verdict->evidence->target_box.min_x, 6);
  ASSERT_TRUE(player_->claim_hit(shot_, target_, seen, 2).ok());
  ASSERT_TRUE(player_->end_frame().ok());
  EXPECT_STREQ(to_string(next_verdict()->verdict), "ALREADY_CLAIMED");
  ASSERT_TRUE(player_->claim_hit(target_, shot_, seen, 2).ok());
  ASSERT_TRUE(player_->end_frame().ok());
  EXPECT_STREQ(to_string(next_verdict()->verdict), "NOT_OWNER");
  const auto match = client_->get_match(match_id_);
  const Participant& counted = match->participants.at(0);
  EXPECT_EQ(counted.claims.at(Verdict::kConfirmed), 1u);
  EXPECT_EQ(counted.claims.at(Verdict::kAlreadyClaimed), 1u);
  EXPECT_EQ(counted.claims.at(Verdict::kNotOwner), 1u);
  EXPECT_FALSE(stage_->poll_claim_warning()) << "the match does not warn";
}

TEST_F(ClaimTest, TheServerMeasuresTheDelayByItself) {
  start_match(ClaimPolicy::kObserve);
  ASSERT_TRUE(eventually([&] {
    EXPECT_TRUE(player_->end_frame().ok());  // Each acknowledges what has come.
    return client_->get_match(match_id_)->participants.at(0).delay_ms > 0;
  }));
  EXPECT_LT(client_->get_match(match_id_)->participants.at(0).delay_ms, 20'000u);
}

TEST_F(ClaimTest, StagesAndWatchersAreWarnedOfWhatIsNotConfirmed) {
  start_match(ClaimPolicy::kWarn);
  Watcher watcher = client_->watch(match_id_);
  ASSERT_TRUE(is_in(watcher, SessionState::kJoined));
  const Tick seen = tick_seen();
  ASSERT_TRUE(player_->claim_hit(shot_, target_, seen, 1).ok());  // A miss by two units.
  const auto confirmed = player_->claim_hit(shot_, target_, seen, 2);
  ASSERT_TRUE(player_->end_frame().ok());
  std::optional<ClaimVerdict> warning, seen_by_watcher;
  ASSERT_TRUE(eventually([&] { return (warning = stage_->poll_claim_warning()).has_value(); }));
  ASSERT_TRUE(eventually([&] { return (seen_by_watcher = watcher.poll_claim_warning()).has_value(); }));
  EXPECT_EQ(warning->verdict, Verdict::kNotOverlapping);
  EXPECT_EQ(warning->claimant, player_->participant()->number);
  EXPECT_EQ(seen_by_watcher->evidence->margin, 2);
  EXPECT_EQ(next_verdict()->verdict, Verdict::kNotOverlapping);
  EXPECT_EQ(next_verdict()->number, *confirmed);
  EXPECT_FALSE(player_->poll_claim_warning()) << "players are not warned";
  EXPECT_FALSE(stage_->poll_claim_warning()) << "of what is confirmed nobody is";
}

TEST_F(ClaimTest, AnEnforcedClaimStrikes) {
  start_match(ClaimPolicy::kEnforce);
  ObjectSpec shot = object_at({0, 100}, kShot);
  shot.single_use = true;
  shot.damage = 1;
  ObjectSpec target = object_at({10, 100}, kEnemy);
  target.hit_points = 1;
  const ObjectId single_shot = *player_->spawn(shot);
  const ObjectId weak_target = *stage_->spawn(target);
  ASSERT_TRUE(player_->end_frame().ok());
  ASSERT_TRUE(stage_->end_frame().ok());
  ASSERT_TRUE(eventually([&] { return client_->get_match(match_id_)->objects == 4; }));
  ASSERT_TRUE(player_->claim_hit(single_shot, weak_target, tick_seen(), 2).ok());
  ASSERT_TRUE(player_->end_frame().ok());
  const auto verdict = next_verdict();
  ASSERT_TRUE(verdict);
  EXPECT_STREQ(to_string(verdict->verdict), "CONFIRMED");
  EXPECT_TRUE(verdict->has_struck);
  EXPECT_TRUE(eventually([&] { return client_->get_match(match_id_)->objects == 2; }));
}

TEST_F(ClaimTest, ABatchIsJudgedInItsOrderAndNotRemembered) {
  start_match(ClaimPolicy::kObserve, ClockKind::kManual);
  std::vector<HitClaim> claims(1'000, {.shot = shot_, .target = target_, .tick_seen = 1, .tolerance = 2});
  for (std::uint32_t i = 0; i < claims.size(); ++i) claims[i].number = i;
  claims[1].tick_seen = 2;
  claims[2].shot = 12345;
  claims[999].tolerance = 1;
  const auto verdicts = client_->validate_hits(match_id_, player_->participant()->number, claims);
  ASSERT_TRUE(verdicts.ok()) << verdicts.status().message();
  ASSERT_EQ(verdicts->size(), claims.size());
  EXPECT_EQ((*verdicts)[0].verdict, Verdict::kConfirmed);
  EXPECT_EQ((*verdicts)[1].verdict, Verdict::kInTheFuture);
  EXPECT_EQ((*verdicts)[2].verdict, Verdict::kUnknownObject);
  EXPECT_EQ((*verdicts)[998].verdict, Verdict::kConfirmed);
  EXPECT_EQ((*verdicts)[999].verdict, Verdict::kNotOverlapping);
  EXPECT_EQ((*verdicts)[999].number, 999u);
  EXPECT_TRUE(client_->get_match(match_id_)->participants.at(0).claims.empty());
}

TEST_F(ClaimTest, BadBatchesAreRefusedByTheNameOfTheirField) {
  start_match(ClaimPolicy::kObserve, ClockKind::kManual);
  const std::uint32_t number = player_->participant()->number;
  EXPECT_EQ(client_->validate_hits(match_id_, number, {}).status().field(), "claims");
  EXPECT_EQ(client_->validate_hits(match_id_, number, std::vector<HitClaim>(10'001)).status().field(),
            "claims");
  EXPECT_EQ(client_->validate_hits(match_id_, 63, {HitClaim{}}).status().field(), "participant");
  const auto greedy = client_->validate_hits(match_id_, number, {HitClaim{}, HitClaim{.tolerance = 4.25}});
  EXPECT_EQ(greedy.status().field(), "claims[1].tolerance");
  EXPECT_THAT(greedy.status().message(), HasSubstr("at most 1024"));
  EXPECT_TRUE(client_->validate_hits(match_id_, number, {HitClaim{.tolerance = 4}}).ok()) << "at the limit";
  EXPECT_EQ(client_->validate_hits(match_id_, number, {HitClaim{.tolerance = -1}}).status().field(),
            "claims[0].tolerance");
  EXPECT_EQ(client_->validate_hits("nowhere", number, {HitClaim{}}).status().reason(), "MATCH_NOT_FOUND");
}

TEST_F(ClaimTest, RulesThatCannotBeAreRefusedByTheNameOfTheirField) {
  client_.emplace(client());
  MatchConfig config = shooter_config(ClockKind::kManual);
  config.claims.rewind_ticks_max = 3'601;
  EXPECT_EQ(client_->create_match(config).status().field(), "config.claims.rewind_ticks_max");
  config.claims.rewind_ticks_max = 3'600;
  config.claims.hits_per_shot_max = 65'536;
  EXPECT_EQ(client_->create_match(config).status().field(), "config.claims.hits_per_shot_max");
  config.claims.hits_per_shot_max = 65'535;
  config.claims.tolerance_max = 65'537;
  EXPECT_EQ(client_->create_match(config).status().field(), "config.claims.tolerance_max");
  config.claims.tolerance_max = 65'536;
  const auto match = client_->create_match(config);
  ASSERT_TRUE(match.ok()) << match.status().message();
  EXPECT_EQ(match->config.claims.hits_per_shot_max, 65'535u);
  EXPECT_EQ(match->config.claims.tolerance_max, 65'536);
}

}  // namespace
}  // namespace sweepd::test::claim_test
