// SPDX-License-Identifier: MIT
//
// Protects honest players from the claims of one that cheats from a legitimate seat, under the sample's
// strict profile: neither tolerance, nor another's shot, nor delay by choice hits what an honest claim does
// not.
#include <thread>

#include "integration/support/cheats.h"

namespace sweepd::test::cheat_claims_test {
namespace {

class CheatsWithClaims : public Cheats {
 protected:
  static constexpr std::uint64_t kCheatsWithClaims = 20;

  void lag_on_and_off_and_claim() {
    constexpr Tick kOld = 12;
    v1::Frame enemy;
    add_spawn(enemy, stage_id_, kEnemy, 259, 540);  // 259 - 14 - 242 = 3 from the shots that pass it.
    play({}, enemy);
    for (std::uint32_t round = 0; round < 120; ++round) {
      const Tick tick = client_->get_match(match_id_)->tick;
      const bool is_late = round % 20 < 16 && round >= 20;
      v1::Frame frame;
      frame.set_acknowledged_tick(is_late ? tick - kOld : tick);
      if (round % 4 == 0) add_shot(frame, ship_ + 1 + round, 240, 580);
      if (is_late && round % 4 == 3) {
        v1::HitClaim& claim = *frame.add_claims();
        claim.set_shot_id(ship_ + 1 + round - static_cast<std::uint32_t>(kOld) - 3);  // It passed then.
        claim.set_target_id(stage_id_);
        claim.set_tick_seen(tick - kOld);
        claim.set_tolerance(4 * kUnit);
      }
      std::this_thread::sleep_for(
          std::chrono::milliseconds(10));  // Twelve are more than seven ticks of 60 Hz.
      play(frame);
    }
  }
};

TEST_F(CheatsWithClaims, AClaimIsNotAsTolerantAsItAsksFor) {
  v1::Frame enemy;
  add_spawn(enemy, stage_id_, kEnemy, 262, 560);
  play({}, enemy);
  v1::Frame shot;
  add_shot(shot, ship_ + 1, 240, 586);  // At 570 after its first tick, and more than 6 from it.
  play(shot);
  v1::Frame claims;
  v1::HitClaim& claim = *claims.add_claims();
  claim.set_shot_id(ship_ + 1);
  claim.set_target_id(stage_id_);
  claim.set_tick_seen(client_->get_match(match_id_)->tick);
  claim.set_tolerance(16 * kUnit);
  play(claims);
  EXPECT_THAT(ann().claims, ::testing::ElementsAre(::testing::Pair(Verdict::kNotOverlapping, 1u)));
}

/// Claims hit, as in a game that leaves hits to those who see them.
TEST_F(CheatsWithClaims, UnderEnforceClaimsKillNothingThatShotsDoNot) {
  start_with([](MatchConfig& config) {
    config.claims.policy = ClaimPolicy::kEnforce;
    for (CollidingLayers& pair : config.collides) pair.by_claims |= pair.layer_a == "player_shot";
  });
  send_enemies(50);
  v1::Frame shots;
  add_shot(shots, ship_ + 1, 240, 580);
  v1::Spawn& giant = add_spawn(shots, ship_ + 2, 0, 240, 320);
  giant.set_damage(2'000'000'000);
  add_part(*giant.add_parts(), kShotLayer, 480);
  add_shot(shots, ship_ + 3, 100, 100);  // From inside an enemy.
  play(shots);
  v1::Frame claims;
  for (std::uint32_t enemy = 0; enemy < 50; ++enemy) {
    for (std::uint32_t shot = 0; shot < 4; ++shot) {
      v1::HitClaim& claim = *claims.add_claims();
      claim.set_shot_id(ship_ + shot);
      claim.set_target_id(stage_id_ + enemy);
      claim.set_tick_seen(client_->get_match(match_id_)->tick);
      claim.set_tolerance(16 * kUnit);
    }
  }
  play(claims);
  for (std::uint32_t i = 0; i < 50; ++i) ASSERT_TRUE(object(stage_id_ + i)) << i;
  EXPECT_EQ(score(), 0);
  EXPECT_THAT(ann().claims,
              ::testing::UnorderedElementsAre(::testing::Pair(Verdict::kLayersDoNotCollide, 50u),
                                              ::testing::Pair(Verdict::kNotOverlapping, 50u),
                                              ::testing::Pair(Verdict::kUnknownObject, 100u)));
}

TEST_F(CheatsWithClaims, AShipIsNoShotOfAClaim) {
  v1::Frame enemy;
  add_spawn(enemy, stage_id_, kEnemy, 240, 600);  // On top of it.
  play({}, enemy);
  v1::Frame claims;
  v1::HitClaim& claim = *claims.add_claims();
  claim.set_shot_id(ship_);
  claim.set_target_id(stage_id_);
  claim.set_tick_seen(client_->get_match(match_id_)->tick);
  play(claims);
  EXPECT_THAT(ann().claims, ::testing::ElementsAre(::testing::Pair(Verdict::kLayersDoNotCollide, 1u)));
}

/// Its acknowledgements come late for sixteen ticks and in time for four, again and again; while they are
/// late it claims hits of twelve ticks ago. Beyond the allowance of six the window rises by a tick in thirty.
TEST_F(CheatsWithClaims, LagThatIsSwitchedOnAndOffLetsNoOlderClaimsPass) {
  lag_on_and_off_and_claim();
  EXPECT_THAT(ann().claims,
              ::testing::ElementsAre(::testing::Pair(Verdict::kImplausibleView, kCheatsWithClaims)));
  start_with([](MatchConfig& config) { config.claims.window_rise_ticks = 0; });
  lag_on_and_off_and_claim();
  EXPECT_GT(ann().claims[Verdict::kConfirmed], 0u) << "without the bound it gains by it";
}

}  // namespace
}  // namespace sweepd::test::cheat_claims_test
