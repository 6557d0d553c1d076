// SPDX-License-Identifier: MIT
//
// Protects what contact does, and what may be done to many objects at once, on the whole way from the SDK
// through a real server and back.
#include "integration/support/manual_match.h"

namespace sweepd::test::outcome_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::uint32_t kPlayer = 0;
constexpr std::uint32_t kShot = 1;
constexpr std::uint32_t kEnemy = 2;
constexpr std::uint32_t kBullet = 3;

/// A player and a stage, tick by tick.
class OutcomeTest : public ManualMatchTest {
 protected:
  void begin(MatchConfig config) {
    ManualMatchTest::begin(config);
    player_.emplace(joined(*client_, match_id_, "player", Role::kPlayer));
    stage_.emplace(joined(*client_, match_id_, "stage", Role::kStage));
  }

  static MatchConfig config() {
    MatchConfig config = shooter_config(ClockKind::kManual);
    config.clearable_layers = {"enemy_bullet"};
    config.playfield = Box{-1000, -1000, 1000, 1000};
    return config;
  }

  /// The log of one more tick, as the player sees it.
  std::vector<std::string> step() {
    ++tick_;
    EXPECT_TRUE(player_->end_frame(tick_).ok() && stage_->end_frame(tick_).ok());
    ManualMatchTest::step();
    EXPECT_TRUE(eventually([&] { return stage_->tick() >= tick_; }));
    std::vector<std::string> lines;
    for (const Event& event : events_through(*player_, tick_)) lines.push_back(to_line(event));
    return lines;
  }

  std::optional<Session> player_;
  std::optional<Session> stage_;
  Tick tick_ = 0;
};

TEST_F(OutcomeTest, ShotsAreUsedUpAndEnemiesDestroyedAndTheirIdsComeAgain) {
  begin(config());
  ObjectSpec enemy = object_at({0, -100}, kEnemy);
  enemy.hit_points = 2;
  const ObjectId target = *stage_->spawn(enemy);
  ObjectSpec shot = object_at({0, -100}, kShot);
  shot.single_use = true;
  shot.damage = 1;
  ObjectId first = *player_->spawn(shot);
  EXPECT_EQ(step(), (std::vector<std::string>{
                        "1 enter " + std::to_string(first) + " " + std::to_string(target),
                        "1 exit " + std::to_string(first) + " " + std::to_string(target) + " CONSUMED"}));
  EXPECT_FALSE(player_->poll_destruction());
  shot.id = first;
  EXPECT_EQ(*player_->spawn(shot), first) << "the server has it no more";
  EXPECT_EQ(step().back(), "2 exit " + std::to_string(first) + " " + std::to_string(target) + " DESTROYED");
  const auto destruction = player_->poll_destruction();
  ASSERT_TRUE(destruction.has_value());
  EXPECT_EQ(destruction->object, target);
  EXPECT_EQ(destruction->by_object, first);
  EXPECT_EQ(destruction->owner, stage_->participant()->number);
  EXPECT_EQ(destruction->by_owner, player_->participant()->number);
  EXPECT_EQ(destruction->layer, kEnemy);
  EXPECT_EQ(destruction->by_layer, kShot);
  EXPECT_EQ(destruction->tick, 2u);
  EXPECT_EQ(client().get_match(match_id_)->objects, 0u);
  EXPECT_FALSE(player_->poll_rejection());
}

TEST_F(OutcomeTest, ABombClearsTheStagesBulletsAndNotItsEnemies) {
  begin(config());
  ASSERT_TRUE(stage_->spawn(object_at({0, 0}, kBullet)).ok());
  ASSERT_TRUE(stage_->spawn(object_at({300, 0}, kBullet)).ok());
  ASSERT_TRUE(stage_->spawn(object_at({0, 50}, kEnemy)).ok());
  step();
  const Box near{-100, -100, 100, 100};
  EXPECT_EQ(player_->despawn_all({.layers = {9}}).field(), "selection.layers[0]");
  ASSERT_TRUE(player_->despawn_all({.layers = {kBullet, kEnemy}, .region = near}).ok());
  step();
  EXPECT_EQ(client().get_match(match_id_)->objects, 2u);
  ASSERT_TRUE(player_->despawn_all({}).ok());
  step();
  EXPECT_EQ(client().get_match(match_id_)->objects, 1u) << "the enemy";
}

TEST_F(OutcomeTest, WhatIsFrozenStaysWhereItIsUntilReleased) {
  begin(config());
  ASSERT_TRUE(player_->spawn(object_at({0, 0}, kPlayer)).ok());
  ObjectSpec bullet = object_at({0, -20}, kBullet);
  bullet.motion = Motion{{0, 6}, {}};
  ASSERT_TRUE(stage_->spawn(bullet).ok());
  EXPECT_THAT(step(), IsEmpty());
  ASSERT_TRUE(player_->freeze({.layers = {kBullet}}).ok());
  for (int i = 0; i < 5; ++i) EXPECT_THAT(step(), IsEmpty());
  ASSERT_TRUE(player_->release({}).ok());
  EXPECT_EQ(step().size(), 1u);
}

TEST_F(OutcomeTest, AContinuousShotMeetsNothingWhereItIsTeleportedPast) {
  begin(config());
  ASSERT_TRUE(stage_->spawn(object_at({100, 0}, kEnemy)).ok());
  ObjectSpec spec = object_at({0, 0}, kShot);
  spec.continuous = true;
  const ObjectId shot = *player_->spawn(spec);
  step();
  ASSERT_TRUE(player_->teleport(shot, {200, 0}).ok());
  EXPECT_THAT(step(), IsEmpty());
  ASSERT_TRUE(player_->move(shot, {0, 0}).ok());
  EXPECT_EQ(step().size(), 2u);
}

TEST_F(OutcomeTest, TheStageAndItsObjectsGoToAPlayerWhoThenScrollsThePlayfield) {
  begin(config());
  const ObjectId bullet = *stage_->spawn(object_at({500, 0}, kBullet));
  ASSERT_TRUE(player_->scroll_to({0, 5}).ok());
  step();
  EXPECT_EQ(player_->poll_rejection()->reason, "NOT_ALLOWED");
  ASSERT_TRUE(stage_->transfer({}, player_->participant()->number, true).ok());
  ASSERT_TRUE(stage_->transfer({bullet}, 40).ok());
  step();
  EXPECT_EQ(stage_->poll_rejection()->reason, "NOT_ALLOWED") << "the stage is the player by then";
  const auto change = player_->poll_owner_change();
  ASSERT_TRUE(change.has_value());
  EXPECT_EQ(change->to, player_->participant()->number);
  EXPECT_TRUE(change->with_stage);
  EXPECT_THAT(change->objects, ElementsAre(bullet));
  EXPECT_TRUE(player_->participant()->acts_as_stage);
  EXPECT_FALSE(stage_->participant()->acts_as_stage);
  ASSERT_TRUE(player_->scroll_to({0, 5}).ok());
  ASSERT_TRUE(player_->move(bullet, {510, 0}).ok());
  ASSERT_TRUE(player_->transfer({bullet}, 40).ok());
  step();
  EXPECT_EQ(player_->poll_rejection()->reason, "NOT_A_PARTICIPANT");
  EXPECT_FALSE(player_->poll_rejection());
  const auto match = client().get_match(match_id_);
  EXPECT_EQ(match->playfield_origin.y, 5);
  ASSERT_EQ(match->participants.size(), 2u);
  EXPECT_TRUE(match->participants[0].acts_as_stage);
  EXPECT_FALSE(match->participants[1].acts_as_stage);
}

TEST_F(OutcomeTest, TheScoreIsInTheUpdatesAndInTheEndResult) {
  MatchConfig scored = config();
  ScoringRule hit{.name = "hit", .layer_a = "player_shot", .layer_b = "enemy", .points = 100};
  ScoringRule destroyed{
      .layer_a = "enemy", .layer_b = "player_shot", .when = ScoringMoment::kDestroyed, .points = 1000};
  destroyed.credit = ScoringCredit::kOwnerOfB;
  scored.scoring = {hit, destroyed};
  begin(scored);
  ObjectSpec enemy = object_at({0, 0}, kEnemy);
  enemy.hit_points = 1;
  ASSERT_TRUE(stage_->spawn(enemy).ok());
  step();
  Client watching = client();
  Watcher watcher = watching.watch(match_id_);
  ASSERT_TRUE(is_in(watcher, SessionState::kJoined));
  ObjectSpec shot = object_at({0, 0}, kShot);
  shot.damage = 1;
  ASSERT_TRUE(player_->spawn(shot).ok());
  step();
  const auto score_of_player = [](const std::vector<Score>& scores) {
    for (const Score& score : scores) {
      if (score.name == "player") return score.score;
    }
    return std::int64_t{-1};
  };
  EXPECT_EQ(score_of_player(player_->scores()), 1100);
  EXPECT_TRUE(eventually([&] { return score_of_player(watcher.scores()) == 1100; }));
  Client late = client();
  const Session joined_late = joined(late, match_id_, "late", Role::kPlayer);
  EXPECT_EQ(score_of_player(joined_late.scores()), 1100) << "who comes late is told";
  const auto ended = client().end_match(match_id_);
  EXPECT_EQ(score_of_player(ended->scores), 1100);
  EXPECT_EQ(ended->config.scoring.front().name, "hit");
}

TEST_F(OutcomeTest, EveryMatchHasASeedAndTellsItsRuleset) {
  MatchConfig given = config();
  given.ruleset = {.name = "arcade", .version = "2"};
  const auto drawn = client().create_match(given);
  EXPECT_NE(drawn->config.seed, 0u);
  EXPECT_EQ(drawn->config.ruleset.name, "arcade");
  given.seed = 77;
  EXPECT_EQ(client().create_match(given)->config.seed, 77u);
}

TEST_F(OutcomeTest, AConfigThatMakesNoSenseIsRefusedByItsField) {
  const auto field_of = [&](const MatchConfig& config) {
    return client().create_match(config).status().field();
  };
  MatchConfig bad = config();
  bad.collides.front().damage_interval_ticks = 3600;
  EXPECT_EQ(field_of(bad), "");
  bad.collides.front().damage_interval_ticks = 3601;
  EXPECT_EQ(field_of(bad), "config.collides[0].damage_interval_ticks");
  bad = config();
  bad.collides.push_back({bad.collides.front().layer_b, bad.collides.front().layer_a, true});
  EXPECT_EQ(field_of(bad), "config.collides[3]");
  bad = config();
  bad.clearable_layers = {"nothing"};
  EXPECT_EQ(field_of(bad), "config.clearable_layers[0]");
  bad = config();
  bad.ruleset.version = std::string(64, 'v');
  EXPECT_EQ(field_of(bad), "");
  bad.ruleset.version += "v";
  EXPECT_EQ(field_of(bad), "config.ruleset.version");
}

}  // namespace
}  // namespace sweepd::test::outcome_test
