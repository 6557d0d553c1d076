// SPDX-License-Identifier: MIT
//
// Protects what claims do (ENFORCE): on layers that are hit by claims, a confirmed one has the outcome of
// contact, once for the shot and the target that were judged; elsewhere it is a verdict and no more.
#include <gtest/gtest.h>

#include <functional>

#include "unit/match/match_builders.h"

namespace sweepd::match::claim_strike_test {
namespace {

constexpr std::uint32_t kHitPoints = 5;
constexpr std::uint32_t kDamage = 3;

class ClaimStrikes : public ::testing::Test {
 protected:
  static MatchConfig by_claims() {
    MatchConfig config = small_config();
    config.claims.policy = ClaimPolicy::kEnforce;
    for (CollidingLayers& pair : config.collides) pair.by_claims = true;
    return config;
  }

  static MatchConfig by_contact(ClaimPolicy policy) {
    MatchConfig config = small_config();
    config.claims.policy = policy;
    return config;
  }

  /// The shot at 0, the target at `target_x`; both are boxes from -10 to 10.
  void start(const MatchConfig& config, collision::Subunits target_x, bool single_use = true) {
    match_ = make_match(config);
    shooter_ = join(*match_, "shooter");
    stage_ = join(*match_, "stage", Role::kStage);
    shot_ = shooter_.first_id;
    target_ = stage_.first_id;
    collision::ObjectSpec target = object_at(target_, {target_x, 0}, kEnemyLayer);
    target.hit_points = kHitPoints;
    submit(*match_, stage_, spawn_frame(target));
    spawn_shot({0, 0}, single_use);
  }

  void spawn_shot(collision::Point at, bool single_use) {
    collision::ObjectSpec shot = object_at(shot_, at, kPlayerLayer);
    shot.single_use = single_use;
    shot.damage = kDamage;
    submit(*match_, shooter_, spawn_frame(shot));
    match_->step();
  }

  HitClaim claim(std::uint32_t tolerance = 0) const {
    return {
        .number = 1, .shot = shot_, .target = target_, .tick_seen = match_->tick(), .tolerance = tolerance};
  }

  std::vector<ClaimVerdict> verdicts_of(const std::vector<HitClaim>& claims) {
    Frame frame;
    frame.claims = claims;
    submit(*match_, shooter_, std::move(frame));
    const TickOutput& output = match_->step();
    return {output.claim_verdicts.begin(), output.claim_verdicts.end()};
  }

  std::uint32_t hit_points() const { return match_->find_object(target_)->hit_points; }

  std::unique_ptr<Match> match_;
  Participant shooter_;
  Participant stage_;
  ObjectId shot_ = 0;
  ObjectId target_ = 0;
};

TEST_F(ClaimStrikes, AConfirmedClaimHasTheOutcomeOfContact) {
  start(by_claims(), 25);
  const auto verdicts = verdicts_of({claim(5)});
  ASSERT_EQ(verdicts.size(), 1u);
  EXPECT_EQ(verdicts[0].verdict, Verdict::kConfirmed) << "within its tolerance";
  EXPECT_TRUE(verdicts[0].has_struck);
  EXPECT_FALSE(match_->find_object(shot_)) << "it is used up";
  EXPECT_EQ(hit_points(), kHitPoints - kDamage);
}

TEST_F(ClaimStrikes, WhereContactHasTheOutcomeAClaimIsAVerdictAndNoMore) {
  for (const ClaimPolicy policy : {ClaimPolicy::kObserve, ClaimPolicy::kWarn, ClaimPolicy::kEnforce}) {
    start(by_contact(policy), 25);
    const auto verdicts = verdicts_of({claim(5)});
    ASSERT_EQ(verdicts.size(), 1u);
    EXPECT_EQ(verdicts[0].verdict, Verdict::kConfirmed);
    EXPECT_FALSE(verdicts[0].has_struck);
    EXPECT_TRUE(match_->find_object(shot_));
    EXPECT_EQ(hit_points(), kHitPoints);
  }
}

TEST_F(ClaimStrikes, ContactAloneDoesNothingBeforeAndAfter) {
  start(by_claims(), 15, false);  // In contact from the first tick on, and it pierces.
  match_->step();
  EXPECT_EQ(hit_points(), kHitPoints);
  EXPECT_TRUE(verdicts_of({claim()}).at(0).has_struck);
  EXPECT_EQ(hit_points(), kHitPoints - kDamage);
  submit(*match_, shooter_, move_frame(shot_, {500, 0}));
  match_->step();
  submit(*match_, shooter_, move_frame(shot_, {0, 0}));
  match_->step();
  EXPECT_EQ(match_->encounter_count(), 1u);
  const auto again = verdicts_of({claim()});
  EXPECT_EQ(again.at(0).verdict, Verdict::kAlreadyClaimed);
  EXPECT_EQ(hit_points(), kHitPoints - kDamage);
}

TEST_F(ClaimStrikes, ScoreAsAnEnterWhereContactScoresNone) {
  MatchConfig config = by_claims();
  ScoringRule enter{
      .layer_a = config.layers[kPlayerLayer], .layer_b = config.layers[kEnemyLayer], .points = 10};
  config.scoring = {enter};
  start(config, 15);
  EXPECT_EQ(match_->scoreboard().present().at(0).score, 0);
  ASSERT_TRUE(verdicts_of({claim()}).at(0).has_struck);
  EXPECT_EQ(match_->scoreboard().present().at(0).score, 10);
}

TEST_F(ClaimStrikes, AClaimAboutAnEarlierShotOfItsIdDoesNotHitWithTheNewOne) {
  start(by_claims(), 15, false);
  const HitClaim seen = claim();
  submit(*match_, shooter_, despawn_frame(shot_));
  match_->step();
  spawn_shot({500, 0}, false);
  const auto verdicts = verdicts_of({seen});
  EXPECT_EQ(verdicts.at(0).verdict, Verdict::kConfirmed);
  EXPECT_FALSE(verdicts.at(0).has_struck);
  EXPECT_EQ(hit_points(), kHitPoints);
}

TEST_F(ClaimStrikes, WhoIsDisabledByNowIsNotHit) {
  start(by_claims(), 15);
  const HitClaim seen = claim();
  Frame frame;
  frame.disables = {{target_, 0}};
  submit(*match_, stage_, frame);
  match_->step();
  const auto verdicts = verdicts_of({seen});
  EXPECT_EQ(verdicts.at(0).verdict, Verdict::kConfirmed) << "then it was not";
  EXPECT_FALSE(verdicts.at(0).has_struck);
  EXPECT_EQ(hit_points(), kHitPoints);
}

TEST_F(ClaimStrikes, WhatIsTakenAwayInTheSameTickWasNotStruck) {
  start(by_claims(), 15);
  submit(*match_, stage_, despawn_frame(target_));  // Its frame applies after the shooter's.
  const auto verdicts = verdicts_of({claim()});
  EXPECT_EQ(verdicts.at(0).verdict, Verdict::kConfirmed);
  EXPECT_FALSE(verdicts.at(0).has_struck);
  EXPECT_TRUE(match_->find_object(shot_)) << "it flies on";
}

TEST_F(ClaimStrikes, ASensorIsNotHit) {
  MatchConfig config = by_contact(ClaimPolicy::kEnforce);
  for (CollidingLayers& pair : config.collides) pair.sensor = true;
  start(config, 15);
  const auto verdicts = verdicts_of({claim()});
  EXPECT_EQ(verdicts.at(0).verdict, Verdict::kLayersDoNotCollide);
}

TEST(ClaimStrikesConfig, LayersAreHitByClaimsOnlyWhereClaimsHitAndContactDoesNot) {
  const auto field_of = [](const std::function<void(MatchConfig&, CollidingLayers&)>& change) {
    MatchConfig config = small_config();
    config.claims.policy = ClaimPolicy::kEnforce;
    config.collides.at(0).by_claims = true;
    change(config, config.collides.at(0));
    const auto error = find_error(config);
    return error ? error->field : "";
  };
  EXPECT_EQ(field_of([](auto&, auto&) {}), "");
  EXPECT_EQ(field_of([](auto& config, auto&) { config.claims.policy = ClaimPolicy::kWarn; }),
            "collides[0].by_claims");
  EXPECT_EQ(field_of([](auto&, auto& pair) { pair.sensor = true; }), "collides[0].by_claims");
  EXPECT_EQ(field_of([](auto&, auto& pair) { pair.damage_interval_ticks = 1; }),
            "collides[0].damage_interval_ticks");
}

}  // namespace
}  // namespace sweepd::match::claim_strike_test
