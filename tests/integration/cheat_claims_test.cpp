// SPDX-License-Identifier: MIT
//
// Protects honest players from the claims of one that cheats from a legitimate seat, under the sample's
// strict profile: neither tolerance nor another object as the shot hits what an honest claim does not.
#include "integration/support/cheats.h"

namespace sweepd::test::cheat_claims_test {
namespace {

class CheatsWithClaims : public Cheats {};

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

}  // namespace
}  // namespace sweepd::test::cheat_claims_test
