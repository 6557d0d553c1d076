// SPDX-License-Identifier: MIT
// Protects the score: which encounters give points to whom, how often, and that what happened long ago, or to
// who left, neither scores again nor is forgotten.

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "match_builders.h"

namespace sweepd::match::scoring_test {
namespace {

constexpr collision::LayerId kShip = 0;
constexpr collision::LayerId kFoe = 1;
constexpr collision::LayerId kGraze = 2;

ScoringRule rule(ScoringMoment when, std::int32_t points) {
  ScoringRule rule;
  rule.layer_a = "ship";
  rule.layer_b = "foe";
  rule.when = when;
  rule.points = points;
  return rule;
}

struct ScoringTest : testing::Test {
  void begin(std::vector<ScoringRule> rules) {
    MatchConfig config;
    config.layers = {"ship", "foe", "graze"};
    config.collides = {{"ship", "foe"}, {"graze", "foe", true}, {"foe", "foe"}};
    config.clock = ClockKind::kManual;
    config.scoring = std::move(rules);
    config.slots = slots;
    match = make_match(config);
    ann = join(*match, "ann");
    stage = join(*match, "stage", Role::kStage);
  }

  void spawn(const Participant& owner, ObjectId id, collision::LayerId layer, collision::Point at,
             std::uint32_t hit_points = 0, std::uint32_t damage = 0) {
    collision::ObjectSpec spec = object_at(id, at, layer);
    spec.hit_points = hit_points;
    spec.damage = damage;
    submit(*match, owner, spawn_frame(spec));
  }

  /// Of who is there or was.
  std::int64_t score_of(const Participant& participant) const {
    std::vector<Score> scores = match->scoreboard().present();
    const std::vector<Score>& former = match->scoreboard().former();
    scores.insert(scores.end(), former.begin(), former.end());
    const auto found = std::ranges::find(scores, participant.name, &Score::name);
    return found == scores.end() ? -1 : found->score;
  }

  ObjectId ship() const { return ann.first_id; }
  ObjectId foe() const { return stage.first_id; }

  std::vector<ParticipantSlot> slots;
  std::unique_ptr<Match> match;
  Participant ann;
  Participant stage;
};

TEST_F(ScoringTest, AnEnterGivesItsPointsOnceToTheOwnerOfTheSideThatTheRuleNames) {
  ScoringRule hit = rule(ScoringMoment::kEnter, 100);
  ScoringRule taken = rule(ScoringMoment::kEnter, -7);
  taken.credit = ScoringCredit::kOwnerOfB;
  begin({hit, taken});
  spawn(ann, ship(), kShip, {0, 0});
  spawn(stage, foe(), kFoe, {0, 0});
  const TickOutput& first = match->step();
  ASSERT_EQ(first.scores.size(), 2u);
  EXPECT_EQ(first.scores[0].participant, ann.number);
  EXPECT_EQ(first.scores[0].score, 100);
  EXPECT_EQ(first.scores[1].score, -7);
  EXPECT_TRUE(match->step().scores.empty()) << "nothing changed";
  EXPECT_EQ(score_of(ann), 100);
}

TEST_F(ScoringTest, TheOrderOfTheLayersInARuleDoesNotHaveToBeThatOfTheIds) {
  ScoringRule turned = rule(ScoringMoment::kEnter, 5);
  std::swap(turned.layer_a, turned.layer_b);
  turned.credit = ScoringCredit::kOwnerOfB;
  begin({turned});
  spawn(ann, ship(), kShip, {0, 0});
  spawn(stage, foe(), kFoe, {0, 0});
  match->step();
  EXPECT_EQ(score_of(ann), 5);
  EXPECT_EQ(score_of(stage), 0);
}

TEST_F(ScoringTest, AnExitScoresForItsReasonsAndNotAtTheEndOfTheMatch) {
  ScoringRule escaped = rule(ScoringMoment::kExit, 30);
  escaped.exit_reasons = {collision::ExitReason::kMoved};
  begin({escaped, rule(ScoringMoment::kExit, 1)});
  spawn(ann, ship(), kShip, {0, 0});
  spawn(stage, foe(), kFoe, {0, 0});
  match->step();
  submit(*match, ann, move_frame(ship(), {500, 0}));
  match->step();
  EXPECT_EQ(score_of(ann), 31);
  submit(*match, ann, move_frame(ship(), {0, 0}));
  match->step();
  submit(*match, stage, despawn_frame(foe()));
  match->step();
  EXPECT_EQ(score_of(ann), 32) << "DESPAWNED is not among the reasons of the first rule";
  spawn(stage, foe(), kFoe, {0, 0});
  match->step();
  match->end();
  EXPECT_EQ(score_of(ann), 32);
}

TEST_F(ScoringTest, ContactScoresInEveryTickAndWithACooldownInSome) {
  ScoringRule slow = rule(ScoringMoment::kContact, 1000);
  slow.cooldown_ticks = 3;
  begin({rule(ScoringMoment::kContact, 1), slow});
  spawn(ann, ship(), kShip, {0, 0});
  spawn(stage, foe(), kFoe, {0, 0});
  for (int i = 0; i < 7; ++i) match->step();
  EXPECT_EQ(score_of(ann), 7 + 3000) << "ticks 1, 4 and 7";
}

TEST_F(ScoringTest, GrazeScoresOncePerBulletAndAgainForAnotherOfTheSameId) {
  ScoringRule graze;
  graze.layer_a = "graze";
  graze.layer_b = "foe";
  graze.points = 10;
  graze.once_per_object = true;
  begin({graze});
  spawn(ann, ship(), kGraze, {0, 0});
  spawn(stage, foe(), kFoe, {0, 0});
  match->step();
  for (int i = 0; i < 3; ++i) {
    submit(*match, stage, move_frame(foe(), {500, 0}));
    match->step();
    submit(*match, stage, move_frame(foe(), {0, 0}));
    match->step();
  }
  EXPECT_EQ(score_of(ann), 10);
  submit(*match, stage, despawn_frame(foe()));
  match->step();
  spawn(stage, foe(), kFoe, {0, 0});
  match->step();
  EXPECT_EQ(score_of(ann), 20);
}

TEST_F(ScoringTest, DestructionGivesPointsToWhoDidIt) {
  ScoringRule kill;
  kill.layer_a = "foe";
  kill.layer_b = "ship";
  kill.when = ScoringMoment::kDestroyed;
  kill.points = 500;
  kill.credit = ScoringCredit::kOwnerOfB;
  begin({kill});
  spawn(ann, ship(), kShip, {0, 0}, 1, 2);
  spawn(stage, foe(), kFoe, {0, 0}, 2, 1);
  const TickOutput& output = match->step();
  EXPECT_EQ(output.destructions.size(), 2u) << "each other";
  EXPECT_EQ(score_of(ann), 500) << "a ship that is destroyed is not in the rule";
  EXPECT_EQ(score_of(stage), 0);
}

TEST_F(ScoringTest, AScoreOutlivesItsParticipantAndIsNotTheNextOnes) {
  begin({rule(ScoringMoment::kEnter, 100)});
  spawn(ann, ship(), kShip, {0, 0});
  spawn(stage, foe(), kFoe, {0, 0});
  match->step();
  match->apply(Leave{ann.number});
  const TickOutput& left = match->step();
  ASSERT_EQ(left.scores.size(), 1u);
  EXPECT_TRUE(left.scores[0].has_left);
  EXPECT_EQ(left.scores[0].score, 100);
  const Participant ben = join(*match, "ben");
  EXPECT_EQ(ben.number, ann.number);
  const TickOutput& came = match->step();
  ASSERT_EQ(came.scores.size(), 1u);
  EXPECT_EQ(came.scores[0].name, "ben");
  EXPECT_EQ(score_of(ben), 0);
  EXPECT_EQ(score_of(ann), 100);
  EXPECT_TRUE(match->scoreboard().former().back().has_left);
}

TEST_F(ScoringTest, WhatCountedOnceForWhoLeftCountsForTheNextOfItsNumber) {
  ScoringRule once = rule(ScoringMoment::kEnter, 10);
  once.once_per_object = true;
  begin({once});
  spawn(ann, ship(), kShip, {0, 0});
  spawn(stage, foe(), kFoe, {0, 0});
  match->step();
  match->apply(Leave{ann.number});
  match->step();
  const Participant ben = join(*match, "ben");
  spawn(ben, ben.first_id, kShip, {0, 0});
  match->step();
  EXPECT_EQ(score_of(ben), 10);
}

// The exits of the leaver's objects come in the tick after it has left.
TEST_F(ScoringTest, TheLastExitsOfALeaverCountForNoHolderOfItsNumber) {
  ScoringRule once = rule(ScoringMoment::kExit, 5);
  once.once_per_object = true;
  begin({once});
  spawn(ann, ship(), kShip, {0, 0});
  spawn(stage, foe(), kFoe, {0, 0});
  match->step();
  match->apply(Leave{ann.number});
  match->step();
  const Participant ben = join(*match, "ben");
  ASSERT_EQ(ben.number, ann.number);
  spawn(ben, ben.first_id, kShip, {0, 0});
  match->step();
  submit(*match, ben, move_frame(ben.first_id, {1'000, 1'000}));
  match->step();
  EXPECT_EQ(score_of(ben), 5);
  EXPECT_EQ(score_of(ann), -1) << "left without points";
}

// Else a player who leaves and joins again would score the same foe as often as there are lives.
TEST_F(ScoringTest, WhatCountedOnceForASlotDoesNotCountAgainForItsHolderWhoCameBack) {
  ScoringRule once = rule(ScoringMoment::kEnter, 10);
  once.once_per_object = true;
  slots = {{.name = "ann", .role = Role::kPlayer, .first_id = 1, .last_id = 100},
           {.name = "stage", .role = Role::kStage, .first_id = 101, .last_id = 200}};
  begin({once});
  spawn(ann, ship(), kShip, {0, 0});
  spawn(stage, foe(), kFoe, {0, 0});
  match->step();
  EXPECT_EQ(score_of(ann), 10);
  match->apply(Leave{ann.number});
  match->step();
  const Participant back = join(*match, "ann");
  spawn(back, ship(), kShip, {0, 0});
  spawn(stage, foe() + 1, kFoe, {0, 0});
  match->step();
  EXPECT_EQ(match->scoreboard().present().front().score, 10) << "for the other foe";
}

TEST(Scoreboard, ScoresStopAtTheEndsOfTheirRange) {
  Scoreboard board;
  board.join(3, "ann");
  board.add(3, std::numeric_limits<std::int64_t>::max() - 1);
  board.add(3, 5);
  EXPECT_EQ(board.present()[0].score, std::numeric_limits<std::int64_t>::max());
}

TEST(Scoreboard, RemembersSoManyOfWhoLeftAndForgetsTheFirst) {
  Scoreboard board;
  for (std::size_t i = 0; i <= Scoreboard::kFormerScoresMax; ++i) {
    board.join(1, std::to_string(i));
    board.add(1, 7);
    board.leave(1);
  }
  EXPECT_EQ(board.former().size(), Scoreboard::kFormerScoresMax);
  EXPECT_EQ(board.former().front().name, "1");
}

TEST_F(ScoringTest, RulesThatMakeNoSenseAreRefusedByTheirField) {
  MatchConfig config;
  config.layers = {"ship", "foe", "rock"};
  config.collides = {{"ship", "foe"}};
  const auto field_of = [&](const ScoringRule& bad) {
    config.scoring = {rule(ScoringMoment::kEnter, 1), bad};
    const auto error = find_error(config);
    return error ? error->field : "";
  };
  ScoringRule bad = rule(ScoringMoment::kEnter, kPointsMax);
  EXPECT_EQ(field_of(bad), "");
  bad.points = kPointsMax + 1;
  EXPECT_EQ(field_of(bad), "scoring[1].points");
  bad.points = -kPointsMax - 1;
  EXPECT_EQ(field_of(bad), "scoring[1].points");
  bad = rule(ScoringMoment::kEnter, 1);
  bad.cooldown_ticks = 36'000;
  EXPECT_EQ(field_of(bad), "");
  bad.cooldown_ticks = 36'001;
  EXPECT_EQ(field_of(bad), "scoring[1].cooldown_ticks");
  bad = rule(ScoringMoment::kEnter, 1);
  bad.layer_b = "rock";
  EXPECT_EQ(field_of(bad), "scoring[1].layer_a");
  bad = rule(ScoringMoment::kEnter, 1);
  bad.exit_reasons = {collision::ExitReason::kMoved};
  EXPECT_EQ(field_of(bad), "scoring[1].exit_reasons");
  bad.when = ScoringMoment::kExit;
  EXPECT_EQ(field_of(bad), "");
  bad.exit_reasons = {collision::ExitReason::kMatchEnded};
  EXPECT_EQ(field_of(bad), "scoring[1].exit_reasons[0]");
}

TEST_F(ScoringTest, RulesAreBoundedInAllAndForOneMomentOfTheSameLayers) {
  MatchConfig config;
  config.layers = {"ship", "foe"};
  config.collides = {{"ship", "foe"}};
  for (const auto when :
       {ScoringMoment::kEnter, ScoringMoment::kExit, ScoringMoment::kDestroyed, ScoringMoment::kContact}) {
    config.scoring.insert(config.scoring.end(), 16, rule(when, 1));
  }
  EXPECT_FALSE(find_error(config)) << find_error(config)->description;
  config.scoring.front().when = ScoringMoment::kContact;
  const auto error = find_error(config);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->field, "scoring[0].layer_a");
  EXPECT_EQ(error->description, "and layer_b have 17 rules of the same `when`; must have at most 16");
  config.scoring.front().when = ScoringMoment::kEnter;
  config.scoring.push_back(rule(ScoringMoment::kEnter, 1));
  EXPECT_EQ(find_error(config)->field, "scoring");
}

}  // namespace
}  // namespace sweepd::match::scoring_test
