// SPDX-License-Identifier: MIT
//
// Protects what rules of visibility hide from a modified client that tests guesses: as long as a match runs,
// a digest confirms none, and a verdict on a claim about what its claimant does not see says no more than one
// about what never was.
#include "unit/runtime/match_host_fixture.h"

namespace sweepd::runtime::hidden_match_test {
namespace {

using match::ClaimVerdict;
using match::Verdict;
using ::testing::Each;
using ::testing::Eq;
using ::testing::Ne;

constexpr collision::LayerId kEye = 0;
constexpr collision::LayerId kShip = 1;
constexpr collision::LayerId kShot = 2;
constexpr std::uint32_t kSight = 100;
constexpr int kFar = 100'000;

match::MatchConfig hiding_config(match::Sight sees) {
  match::MatchConfig config;
  config.layers = {"eye", "ship", "shot"};
  config.collides = {{"ship", "shot"}};
  config.clock = match::ClockKind::kManual;
  for (const collision::LayerId layer : {kEye, kShip, kShot}) {
    const collision::Part part{.box = {0, 0, 10, 10}, .layer = layer};
    config.templates.push_back(
        {.name = config.layers[layer], .shapes = {{{part}}}, .spawn = {.alive_max = 9}});
  }
  config.visibility = {{.layer = "ship", .sees = sees}};
  if (sees == match::Sight::kNear) {
    config.visibility[0].near = "eye";
    config.visibility[0].distance_max = kSight;
  }
  return config;
}

collision::ObjectSpec spec_of(match::ObjectId id, collision::LayerId layer, collision::Point position) {
  collision::ObjectSpec spec = frame_with_spawn(id, layer).spawns[0];
  spec.position = position;
  return spec;
}

collision::ObjectSpec templated(match::ObjectId id, collision::LayerId layer, collision::Point position) {
  collision::ObjectSpec spec = spec_of(id, layer, position);
  spec.kind = layer + 1u;
  spec.parts.clear();
  return spec;
}

/// Ann has an eye at 0 and a shot that hits nothing. The stage has a ship that she sees if it is near to
/// that, and Bob one far away.
class HiddenMatchTest : public MatchHostTest {
 protected:
  MatchHost& start(const match::MatchConfig& config) {
    MatchHost& host = create(config);
    ann_number_ = join(host, ann_, "ann");
    ann_id_ = first_id_;
    match::Frame frame;
    frame.spawns = {templated(ann_id_, kEye, {0, 0}), templated(ann_id_ + 1, kShot, {0, 500})};
    host.submit(ann_number_, frame);
    bob_number_ = join(host, bob_, "bob");
    bob_id_ = first_id_;
    match::Frame ship;
    ship.spawns = {templated(bob_id_, kShip, {-kFar, 0})};
    host.submit(bob_number_, ship);
    stage_number_ = join(host, stage_, "stage", Role::kStage);
    stage_id_ = first_id_;
    match::Frame theirs;
    theirs.spawns = {spec_of(stage_id_, kShip, {50, 0})};
    host.submit(stage_number_, theirs);
    run_tick(host);
    return host;
  }

  void run_tick(MatchHost& host) {
    step(host, 1);
    run_for(milliseconds(2));
  }

  void move_stages_ship(MatchHost& host, int x) {
    match::Frame frame;
    frame.moves = {{stage_id_, {x, 0}}};
    host.submit(stage_number_, frame);
    run_tick(host);
  }

  /// What Ann is told of a claim about that target, as seen in that tick, and with a tolerance.
  ClaimVerdict verdict_on(MatchHost& host, match::ObjectId target, match::Tick seen,
                          std::optional<std::uint32_t> target_part = {}) {
    match::Frame frame;
    frame.claims = {{.shot = ann_id_ + 1,
                     .target = target,
                     .target_part = target_part,
                     .tick_seen = seen,
                     .tolerance = 3}};
    host.submit(ann_number_, frame);
    ann_.verdicts.clear();
    run_tick(host);
    EXPECT_EQ(ann_.verdicts.size(), 1u);
    return ann_.verdicts.empty() ? ClaimVerdict{.claim = {}, .evidence = {}} : ann_.verdicts[0];
  }

  static void expect_unknown(const ClaimVerdict& verdict) {
    EXPECT_EQ(verdict.verdict, Verdict::kUnknownObject);
    EXPECT_EQ(verdict.tick_judged, 0u);
    EXPECT_FALSE(verdict.evidence);
    EXPECT_FALSE(verdict.has_struck);
    EXPECT_EQ(verdict.tolerance, 3u);
    EXPECT_EQ(verdict.pairs_measured, 0u);
  }

  FakeSubscriber ann_, bob_, stage_;
  match::ParticipantNumber ann_number_ = 0, bob_number_ = 0, stage_number_ = 0;
  match::ObjectId ann_id_ = 0, bob_id_ = 0, stage_id_ = 0;
};

TEST_F(HiddenMatchTest, ItsDigestIsToldAtTheEndAlone) {
  MatchHost& host = start(hiding_config(match::Sight::kOwn));
  for (int i = 0; i < 20; ++i) move_stages_ship(host, i % 2 == 0 ? -kFar : 50);
  EXPECT_FALSE(ann_.digests.empty());
  EXPECT_THAT(ann_.digests, Each(Eq(0u)));
  EXPECT_THAT(stage_.digests, Each(Ne(0u))) << "stages see all";
  host.end();
  const std::uint64_t last = host.match().digest();  // The host goes with the loop's next round.
  run_for(milliseconds(2));
  EXPECT_EQ(ann_.digests.back(), last);
}

TEST_F(HiddenMatchTest, ASnapshotAndAGapTellNoDigestEither) {
  MatchHost& host = start(hiding_config(match::Sight::kOwn));
  for (const WhenFull policy : {WhenFull::kCoalesce, WhenFull::kGap}) {
    FakeSubscriber eve;
    SubscriptionOptions options;
    options.when_full = policy;
    options.events_max = 1;
    const auto seating = host.join(eve, {"eve", Role::kPlayer}, options);
    ASSERT_TRUE(seating.ok());
    eve.follow(host, seating->subscription);
    eve.takes = false;
    match::Frame shot;
    shot.spawns = {spec_of(stage_id_ + 1, kShot, {50, 0})};
    host.submit(stage_number_, shot);
    run_tick(host);
    for (int i = 0; i < 6; ++i) move_stages_ship(host, i % 2 == 0 ? -kFar : 50);
    eve.collect();
    EXPECT_EQ(eve.snapshots, policy == WhenFull::kCoalesce ? 1u : 0u);
    EXPECT_FALSE(eve.digests.empty());
    EXPECT_THAT(eve.digests, Each(Eq(0u)));
    host.leave(eve);
    run_tick(host);
  }
  host.end();
}

TEST_F(HiddenMatchTest, ItsDigestIsToldWhereNothingIsHidden) {
  MatchHost& host = start(hiding_config(match::Sight::kAll));
  run_tick(host);
  EXPECT_THAT(ann_.digests, Each(Ne(0u)));
  host.end();
}

TEST_F(HiddenMatchTest, AClaimAboutWhatIsNotSeenIsToldAsOneAboutWhatNeverWas) {
  MatchHost& host = start(hiding_config(match::Sight::kOwn));
  run_tick(host);
  const match::ObjectId never = bob_id_ + 77;
  for (const match::Tick seen : {match::Tick{1}, host.match().tick(), match::Tick{5000}}) {
    for (const match::ObjectId target : {bob_id_, stage_id_, never}) {
      expect_unknown(verdict_on(host, target, seen));
      expect_unknown(verdict_on(host, target, seen, 40));  // No part tells how many there are.
    }
  }
  const match::ClaimCounts judged = host.match().find_participant(ann_number_)->claims;
  EXPECT_GT(judged[static_cast<std::size_t>(Verdict::kNotOverlapping)], 0u) << "the match judges as ever";
  host.end();
}

TEST_F(HiddenMatchTest, AClaimAboutWhatIsSeenIsToldAsItWasJudged) {
  MatchHost& host = start(hiding_config(match::Sight::kOwn));
  const ClaimVerdict own = verdict_on(host, ann_id_, 1);
  EXPECT_EQ(own.verdict, Verdict::kLayersDoNotCollide);
  EXPECT_EQ(own.tick_judged, 1u);
  host.end();
}

TEST_F(HiddenMatchTest, WhatCountsIsWhoSawTheTargetInTheTickThatWasJudged) {
  MatchHost& host = start(hiding_config(match::Sight::kNear));
  move_stages_ship(host, kFar);
  const ClaimVerdict near = verdict_on(host, stage_id_, 1);
  EXPECT_EQ(near.verdict, Verdict::kNotOverlapping);
  EXPECT_EQ(near.tick_judged, 1u);
  EXPECT_FALSE(near.evidence) << "its layer is not seen whole";
  expect_unknown(verdict_on(host, stage_id_, 2));
  expect_unknown(verdict_on(host, stage_id_, 5000));
  move_stages_ship(host, 50);
  expect_unknown(verdict_on(host, stage_id_, 2));
  EXPECT_EQ(verdict_on(host, stage_id_, 5000).verdict, Verdict::kInTheFuture) << "it is near now";
  host.end();
}

TEST_F(HiddenMatchTest, AHitIsToldWhoeverSeesIt) {
  MatchHost& host = start(hiding_config(match::Sight::kOwn));
  match::Frame frame;
  frame.moves = {{ann_id_ + 1, {50, 0}}};
  host.submit(ann_number_, frame);
  run_tick(host);
  EXPECT_EQ(verdict_on(host, stage_id_, host.match().tick()).verdict, Verdict::kConfirmed);
  host.end();
}

}  // namespace
}  // namespace sweepd::runtime::hidden_match_test
