// SPDX-License-Identifier: MIT
//
// Protects claims that come with frames: they are judged after the frame's changes against ticks that are
// over, each shot hits once, policies do what they say, and what is too much is refused by name. The verdicts
// themselves are held against an oracle in tests/property/claims.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "collision/shapes/shape_check.h"
#include "match/claims/claim_desk.h"
#include "match/frame_queue.h"
#include "unit/match/match_builders.h"

namespace sweepd::match::claim_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Claims : public ::testing::Test {
 protected:
  /// The shot at 0, the target at `target_x`; both are boxes from -10 to 10.
  void start(MatchConfig config, collision::Subunits target_x = 15, Role role_of_owner = Role::kStage) {
    config.claims.delay_allowance_ticks = 0;
    match_ = make_match(config);
    shooter_ = join(*match_, "shooter");
    other_ = join(*match_, "other", role_of_owner);
    shot_ = shooter_.first_id;
    target_ = other_.first_id;
    submit(*match_, shooter_, spawn_frame(object_at(shot_, {0, 0}, kPlayerLayer)));
    submit(*match_, other_, spawn_frame(object_at(target_, {target_x, 0}, kEnemyLayer)));
    step();
  }

  static MatchConfig config_with(ClaimPolicy policy) {
    MatchConfig config = small_config();
    config.claims.policy = policy;
    return config;
  }

  HitClaim claim(std::uint32_t number = 1) const {
    return {.number = number, .shot = shot_, .target = target_, .tick_seen = match_->tick()};
  }

  const TickOutput& step() { return match_->step(); }

  std::vector<ClaimVerdict> verdicts_of(const std::vector<HitClaim>& claims,
                                        std::optional<std::uint32_t> delay_ticks = {}) {
    Frame frame;
    frame.claims = claims;
    frame.delay_ticks = delay_ticks;
    submit(*match_, shooter_, std::move(frame));
    const TickOutput& output = step();
    return {output.claim_verdicts.begin(), output.claim_verdicts.end()};
  }

  static std::vector<Verdict> kinds(const std::vector<ClaimVerdict>& verdicts) {
    std::vector<Verdict> kinds;
    for (const ClaimVerdict& verdict : verdicts) kinds.push_back(verdict.verdict);
    return kinds;
  }

  std::unique_ptr<Match> match_;
  Participant shooter_;
  Participant other_;
  ObjectId shot_ = 0;
  ObjectId target_ = 0;
};

TEST_F(Claims, AreJudgedWithTheirEvidenceAndCounted) {
  start(small_config(), 25);
  HitClaim near = claim(7);
  near.tolerance = 5;
  HitClaim far = claim(8);
  far.tolerance = 4;
  const auto verdicts = verdicts_of({far, near});
  ASSERT_EQ(verdicts.size(), 2u);
  EXPECT_EQ(verdicts[0].verdict, Verdict::kNotOverlapping) << "one less than the gap";
  EXPECT_EQ(verdicts[1].verdict, Verdict::kConfirmed) << "just the gap";
  EXPECT_EQ(verdicts[1].claim.number, 7u);
  EXPECT_EQ(verdicts[1].claimant, shooter_.number);
  EXPECT_EQ(verdicts[1].tick_judged, 1u);
  ASSERT_TRUE(verdicts[1].evidence);
  EXPECT_EQ(verdicts[1].evidence->margin, 5);
  EXPECT_EQ(verdicts[1].evidence->shot_box, (collision::Box{-10, -10, 10, 10}));
  EXPECT_EQ(verdicts[1].evidence->target_box, (collision::Box{15, -10, 35, 10}));
  const Participant counted = *match_->find_participant(shooter_.number);
  EXPECT_EQ(counted.claims[static_cast<std::size_t>(Verdict::kConfirmed)], 1u);
  EXPECT_EQ(counted.claims[static_cast<std::size_t>(Verdict::kNotOverlapping)], 1u);
}

TEST_F(Claims, OfOneShotHitOnce) {
  start(small_config());
  EXPECT_THAT(kinds(verdicts_of({claim(), claim()})),
              ElementsAre(Verdict::kConfirmed, Verdict::kAlreadyClaimed));
  EXPECT_THAT(kinds(verdicts_of({claim()})), ElementsAre(Verdict::kAlreadyClaimed));
}

TEST_F(Claims, AreJudgedWhereTheShotWasEvenIfItIsGone) {
  start(small_config());
  HitClaim seen = claim();
  submit(*match_, shooter_, despawn_frame(shot_));
  step();
  EXPECT_THAT(kinds(verdicts_of({seen})), ElementsAre(Verdict::kConfirmed));
}

TEST_F(Claims, OfATargetThatIsGoneAreUnknown) {
  start(small_config());
  const HitClaim seen = claim();
  submit(*match_, other_, despawn_frame(target_));
  step();
  EXPECT_THAT(kinds(verdicts_of({seen})), ElementsAre(Verdict::kUnknownObject));
}

TEST_F(Claims, BeforeATeleportAreTooOld) {
  start(small_config());
  const HitClaim seen = claim();
  Frame frame;
  frame.teleports = {{target_, {12, 0}}};
  submit(*match_, other_, std::move(frame));
  step();
  EXPECT_THAT(kinds(verdicts_of({seen})), ElementsAre(Verdict::kTooOld));
  HitClaim after = claim();
  after.tick_seen = 2;
  EXPECT_THAT(kinds(verdicts_of({after})), ElementsAre(Verdict::kConfirmed));
}

TEST_F(Claims, ADodgerIsJudgedInThePresent) {
  start(small_config(), 15, Role::kPlayer);
  const HitClaim seen = claim();
  submit(*match_, other_, move_frame(target_, {100, 0}));
  step();
  step();  // Its way through the last tick does not begin where it was hit any more.
  const auto verdicts = verdicts_of({seen});
  EXPECT_THAT(kinds(verdicts), ElementsAre(Verdict::kNotOverlapping)) << "it has got away";
  EXPECT_EQ(verdicts[0].tick_judged, 3u);
  EXPECT_EQ(verdicts[0].evidence->margin, 80);
}

TEST_F(Claims, WhatAPlayerHasOfTheStageIsJudgedInThePast) {
  MatchConfig config = small_config();
  config.stage_handover = StageHandover::kLowestNumber;
  start(config);
  match_->apply(Leave{shooter_.number});
  step();
  const Participant successor = join(*match_, "successor");
  shooter_ = join(*match_, "second shooter");
  shot_ = shooter_.first_id;
  submit(*match_, successor, spawn_frame(object_at(successor.first_id, {15, 0}, kEnemyLayer)));
  submit(*match_, shooter_, spawn_frame(object_at(shot_, {0, 0}, kPlayerLayer)));
  step();
  const HitClaim enemy = claim();
  HitClaim own = claim();
  own.target = successor.first_id;
  match_->apply(Leave{other_.number});
  step();
  ASSERT_EQ(match_->find_object(target_)->owner, successor.number);
  const auto verdicts = verdicts_of({enemy, own});
  EXPECT_EQ(verdicts[0].tick_judged, enemy.tick_seen) << "an enemy";
  EXPECT_EQ(verdicts[1].tick_judged, enemy.tick_seen + 1) << "the successor itself, in its present";
}

TEST_F(Claims, TheViewIsNoOlderThanTheDelayWhenTheClaimCameIn) {
  start(small_config());
  const HitClaim seen = claim();  // Tick 1.
  for (int i = 0; i < 4; ++i) step();
  EXPECT_THAT(kinds(verdicts_of({seen}, 3)), ElementsAre(Verdict::kImplausibleView));
  Frame frame;  // It came in when 6 was the last tick, and waits.
  frame.tick = match_->tick() + 5;
  frame.claims = {seen};
  frame.delay_ticks = 5;
  submit(*match_, shooter_, std::move(frame));
  for (int i = 0; i < 4; ++i) step();
  EXPECT_EQ(step().claim_verdicts[0].verdict, Verdict::kConfirmed);
}

TEST_F(Claims, AskingForMoreToleranceThanThereIsIsRefused) {
  MatchConfig config = small_config();
  config.claims.tolerance_max = 10;
  start(config);
  HitClaim greedy = claim(1);
  greedy.tolerance = 11;
  HitClaim modest = claim(2);
  modest.tolerance = 10;
  Frame frame;
  frame.claims = {greedy, modest};
  submit(*match_, shooter_, std::move(frame));
  const TickOutput& output = step();
  ASSERT_EQ(output.rejections.size(), 1u);
  EXPECT_EQ(output.rejections[0].reason, RejectionReason::kOutOfRange);
  EXPECT_EQ(output.rejections[0].field, "claims[0].tolerance");
  EXPECT_THAT(output.rejections[0].message, HasSubstr("at most 10"));
  ASSERT_EQ(output.claim_verdicts.size(), 1u);
  EXPECT_EQ(output.claim_verdicts[0].claim.number, 2u);
}

TEST_F(Claims, MoreThanMayWaitAreRefusedFromTheFirstOn) {
  start(small_config());
  Frame first;
  first.tick = 10;
  first.claims.assign(kClaimsWaitingMax - 1, claim());
  submit(*match_, shooter_, std::move(first));
  Frame second;
  second.claims = {claim(1), claim(2), claim(3)};
  EXPECT_FALSE(match_->apply(Submission{shooter_.number, std::move(second)}))
      << "the rest of the frame is taken";
  const TickOutput& output = step();
  ASSERT_EQ(output.rejections.size(), 1u);
  EXPECT_EQ(output.rejections[0].reason, RejectionReason::kTooManyClaims);
  EXPECT_EQ(output.rejections[0].field, "claims[1]");
  EXPECT_EQ(output.claim_verdicts.size(), 1u);
}

TEST_F(Claims, PastWhatATickMayMeasureAreRefused) {
  start(small_config());
  collision::ObjectSpec shot{.id = shot_ + 1, .position = {0, 0}, .parts = {}};
  collision::ObjectSpec target{.id = target_ + 1, .position = {5, 0}, .parts = {}};
  for (collision::Subunits x = 0; x < 320; x += 10) {  // Slanted lines: all their boxes overlap.
    shot.parts.push_back(*collision::make_capsule({x, 0}, {x + 1000, 1000}, 1, kPlayerLayer));
    target.parts.push_back(*collision::make_capsule({x, 0}, {x + 1000, 1000}, 1, kEnemyLayer));
  }
  submit(*match_, shooter_, spawn_frame(shot));
  submit(*match_, other_, spawn_frame(target));
  step();
  HitClaim costly = claim();
  costly.shot = shot.id;
  costly.target = target.id;
  constexpr std::size_t kJudged = kPairsMeasuredMax / (collision::kPartsMax * collision::kPartsMax);
  Frame frame;
  frame.claims.assign(kJudged + 2, costly);
  submit(*match_, shooter_, std::move(frame));
  const TickOutput& output = step();
  EXPECT_EQ(output.claim_verdicts.size(), kJudged);
  EXPECT_EQ(output.claim_verdicts[0].pairs_measured, collision::kPartsMax * collision::kPartsMax);
  EXPECT_EQ(output.claim_verdicts[0].evidence->margin, 2);
  ASSERT_EQ(output.rejections.size(), 2u);
  EXPECT_EQ(output.rejections[0].reason, RejectionReason::kTooManyClaims);
  EXPECT_EQ(output.rejections[0].field, "claims[" + std::to_string(kJudged) + "]");
  EXPECT_EQ(output.rejections[0].object, costly.shot);
  EXPECT_THAT(kinds(verdicts_of({costly})), ElementsAre(Verdict::kNotOverlapping)) << "a tick later";
}

TEST_F(Claims, AnObserverMakesNone) {
  start(small_config());
  const Participant watcher = join(*match_, "watcher", Role::kObserver);
  Frame frame;
  frame.claims = {claim()};
  const auto rejection = match_->apply(Submission{watcher.number, std::move(frame)});
  ASSERT_TRUE(rejection);
  EXPECT_EQ(rejection->reason, RejectionReason::kNotAllowed);
  EXPECT_EQ(rejection->field, "claims");
}

TEST_F(Claims, WithoutHistoryAreTooOld) {
  MatchConfig config = small_config();
  config.history_ticks = 0;
  start(config);
  EXPECT_THAT(kinds(verdicts_of({claim()})), ElementsAre(Verdict::kTooOld));
}

TEST_F(Claims, AJudgementOnRequestIsNotRemembered) {
  start(small_config());
  const Claimant claimant{shooter_.number, match_->tick(), {}};
  EXPECT_EQ(match_->judge(claimant, claim()).verdict, Verdict::kConfirmed);
  EXPECT_EQ(match_->judge(claimant, claim()).verdict, Verdict::kConfirmed);
  EXPECT_THAT(kinds(verdicts_of({claim()})), ElementsAre(Verdict::kConfirmed));
}

TEST(ClaimDigest, HasNoWordOfAClaimThatItsSenderChooses) {
  const auto digest_of = [](std::vector<HitClaim> claims) {
    const auto match = make_match();
    const Participant player = join(*match, "player");
    Frame frame;
    frame.claims = std::move(claims);
    submit(*match, player, std::move(frame));
    return match->step().digest;
  };
  const HitClaim claim{.number = 1, .shot = 1, .target = 2, .tick_seen = 3, .tolerance = 4};
  const HitClaim another{.number = 9, .shot = 8, .target = 7, .tick_seen = 3, .tolerance = 5};
  EXPECT_EQ(digest_of({claim}), digest_of({another}));
  EXPECT_NE(digest_of({claim}), digest_of({claim, another}));
  EXPECT_NE(digest_of({claim}), digest_of({}));
}

TEST(ClaimDigest, OfTheFirstVersionChangesWithEveryWordOfAClaimAndNotWithItsNumber) {
  const auto digest_of = [](const std::function<void(Frame&)>& change) {
    const auto match = make_match(small_config(), kFirstDigestVersion);
    const Participant player = join(*match, "player");
    Frame frame;
    frame.claims = {{.number = 1, .shot = 1, .target = 2, .tick_seen = 3, .tolerance = 4}};
    change(frame);
    submit(*match, player, std::move(frame));
    return match->step().digest;
  };
  const std::uint64_t plain = digest_of([](Frame&) {});
  EXPECT_EQ(digest_of([](Frame& frame) { frame.claims[0].number = 9; }), plain);
  EXPECT_NE(digest_of([](Frame& frame) { frame.claims[0].shot = 9; }), plain);
  EXPECT_NE(digest_of([](Frame& frame) { frame.claims[0].target = 9; }), plain);
  EXPECT_NE(digest_of([](Frame& frame) { frame.claims[0].tick_seen = 9; }), plain);
  EXPECT_NE(digest_of([](Frame& frame) { frame.claims[0].tolerance = 9; }), plain);
  EXPECT_NE(digest_of([](Frame& frame) { frame.claims[0].shot_part = 0; }), plain);
  EXPECT_NE(digest_of([](Frame& frame) { frame.claims[0].target_part = 0; }), plain);
  EXPECT_NE(digest_of([](Frame& frame) { frame.delay_ticks = 0; }), plain);
  EXPECT_NE(digest_of([](Frame& frame) { frame.claims.clear(); }), plain);
}

}  // namespace
}  // namespace sweepd::match::claim_test
