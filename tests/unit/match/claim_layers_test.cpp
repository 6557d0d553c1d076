// SPDX-License-Identifier: MIT
//
// Protects what templates say of claims: a claim is judged only about what the template of its shot may hit
// by claims. That is the template that the shot had in the tick judged, though another object may have its
// id by now. The same holds after a restart. What a template does not say is as without templates.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/match/match_builders.h"

namespace sweepd::match::claim_layers_test {
namespace {

constexpr std::uint32_t kShip = 1;
constexpr std::uint32_t kShot = 2;
constexpr std::uint32_t kFree = 3;
using Layers = std::vector<std::string>;

ObjectTemplate kind(const std::string& name, std::optional<Layers> claim_layers) {
  return {.name = name,
          .shapes = {{{{{-10, -10, 10, 10}, kPlayerLayer}}}},
          .damage = 1,
          .claim_layers = std::move(claim_layers)};
}

MatchConfig config_of(ClaimPolicy policy = ClaimPolicy::kWarn) {
  MatchConfig config = small_config();
  config.claims.policy = policy;
  config.claims.delay_allowance_ticks = 0;
  config.collides = {{.layer_a = "player", .layer_b = "enemy", .by_claims = policy == ClaimPolicy::kEnforce}};
  config.templates = {kind("ship", Layers{}), kind("shot", Layers{"enemy"}), kind("free", {})};
  return config;
}

class ClaimLayers : public ::testing::Test {
 protected:
  void start(const MatchConfig& config = config_of()) {
    config_ = config;
    match_ = make_match(config);
    player_ = join(*match_, "ann");
    stage_ = join(*match_, "stage", Role::kStage);
    collision::ObjectSpec enemy = object_at(stage_.first_id, {15, 0}, kEnemyLayer);
    enemy.hit_points = 5;
    submit(*match_, stage_, spawn_frame(enemy));
    match_->step();
  }

  ObjectId id() const { return player_.first_id; }

  void spawn(std::uint32_t number) {
    collision::ObjectSpec spec;
    spec.id = id();
    spec.kind = number;
    submit(*match_, player_, spawn_frame(spec));
    const TickOutput& output = match_->step();
    for (const Rejection& rejection : output.rejections) ADD_FAILURE() << rejection.message;
  }
  void despawn() {
    submit(*match_, player_, despawn_frame(id()));
    match_->step();
  }

  ClaimVerdict claim(Tick tick_seen) {
    Frame frame;
    frame.claims = {{.number = 1, .shot = id(), .target = stage_.first_id, .tick_seen = tick_seen}};
    submit(*match_, player_, std::move(frame));
    return match_->step().claim_verdicts.front();
  }

  MatchConfig config_;
  std::unique_ptr<Match> match_;
  Participant player_;
  Participant stage_;
};

TEST_F(ClaimLayers, LetAShotHitAndTheShipNot) {
  for (const auto& [number, verdict] : {std::pair(kShip, Verdict::kLayersDoNotCollide),
                                        {kShot, Verdict::kConfirmed},
                                        {kFree, Verdict::kConfirmed}}) {
    start();
    spawn(number);
    const ClaimVerdict found = claim(match_->tick());
    EXPECT_EQ(found.verdict, verdict) << number;
    EXPECT_EQ(found.evidence.has_value(), verdict == Verdict::kConfirmed)
        << "what it may not hit is not measured";
  }
}

TEST_F(ClaimLayers, LetNothingElseStrikeWhereClaimsHit) {
  for (const std::uint32_t number : {kShip, kShot}) {
    start(config_of(ClaimPolicy::kEnforce));
    spawn(number);
    EXPECT_EQ(claim(match_->tick()).has_struck, number == kShot);
    EXPECT_EQ(match_->find_object(stage_.first_id)->hit_points, number == kShot ? 4u : 5u);
  }
}

TEST_F(ClaimLayers, AreThoseOfTheTemplateThatTheShotHadThen) {
  start();
  spawn(kShot);
  const Tick as_shot = match_->tick();
  despawn();
  spawn(kShip);
  const Tick as_ship = match_->tick();
  EXPECT_EQ(claim(as_ship).verdict, Verdict::kLayersDoNotCollide);
  EXPECT_EQ(claim(as_shot).verdict, Verdict::kConfirmed);
}

TEST_F(ClaimLayers, AreKnownOfThePastAfterARestart) {
  start();
  spawn(kShip);
  const Tick as_ship = match_->tick();
  despawn();
  spawn(kShot);
  const Tick as_shot = match_->tick();
  const std::string saved = match_->save();
  match_ = std::move(Match::restore(config_, saved).value());
  EXPECT_EQ(match_->save(), saved);
  EXPECT_EQ(claim(as_ship).verdict, Verdict::kLayersDoNotCollide);
  EXPECT_EQ(claim(as_shot).verdict, Verdict::kConfirmed);
}

TEST_F(ClaimLayers, LeaveMatchesThatSayNothingOfThemAsTheyWere) {
  MatchConfig config = config_of();
  for (ObjectTemplate& kind : config.templates) kind.claim_layers.reset();
  start(config);
  spawn(kShip);
  EXPECT_EQ(claim(match_->tick()).verdict, Verdict::kConfirmed);
}

TEST(ClaimLayersConfig, NamesTheLayerThatTheMatchDoesNotHave) {
  MatchConfig config = config_of();
  config.templates[1].claim_layers = Layers{"enemy", "boss"};
  const auto error = find_error(config);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->field, "templates[1].claim_layers.layers[1]");
}

}  // namespace
}  // namespace sweepd::match::claim_layers_test
