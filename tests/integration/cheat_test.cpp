// SPDX-License-Identifier: MIT
//
// Protects honest players from one that cheats from a legitimate seat, with a client of its own, under the
// sample's strict profile: no trick gains a score, a kill or a survival. Every refusal names its rule, and is
// counted.
#include <thread>

#include "integration/support/raw_stream.h"
#include "integration/support/server_fixture.h"

namespace sweepd::test::cheat_test {
namespace {

using ::testing::IsEmpty;

constexpr int kUnit = 256;
constexpr std::uint32_t kShip = 1;  // Templates, by their places in the sample.
constexpr std::uint32_t kShot = 2;
constexpr std::uint32_t kEnemy = 3;
constexpr std::uint32_t kBullet = 4;
constexpr std::uint32_t kPlayerLayer = 0;
constexpr std::uint32_t kGrazeLayer = 1;
constexpr std::uint32_t kShotLayer = 2;
constexpr std::uint32_t kItemLayer = 5;

v1::Spawn& add_spawn(v1::Frame& frame, std::uint32_t id, std::uint32_t template_number, int x, int y) {
  v1::Spawn& spawn = *frame.add_spawns();
  spawn.set_object_id(id);
  spawn.set_template_number(template_number);
  spawn.set_x(x * kUnit);
  spawn.set_y(y * kUnit);
  return spawn;
}

/// Up, as the sample's shots fly.
v1::Spawn& add_shot(v1::Frame& frame, std::uint32_t id, int x, int y) {
  v1::Spawn& spawn = add_spawn(frame, id, kShot, x, y);
  spawn.mutable_motion()->set_velocity_y(-16 * kUnit);
  return spawn;
}

/// A square on a layer, from -half to half.
void add_part(v1::Part& part, std::uint32_t layer, int half) {
  part.set_layer(layer);
  part.mutable_box()->set_min_x(-half * kUnit);
  part.mutable_box()->set_min_y(-half * kUnit);
  part.mutable_box()->set_max_x(half * kUnit);
  part.mutable_box()->set_max_y(half * kUnit);
}

void add_move(v1::AbsoluteMoveColumns& moves, std::uint32_t id, int x, int y) {
  moves.add_object_id(id);
  moves.add_x(x * kUnit);
  moves.add_y(y * kUnit);
}

/// The sample's match, stepped by the test: the stage, and ann, who cheats.
class Cheats : public ServerTest {
 protected:
  void SetUp() override {
    ServerTest::SetUp();
    client_.emplace(client());
    match_id_ = create_sample();
    take_seats();
  }

  /// The sample with some of its settings changed.
  void start_with(const std::function<void(MatchConfig&)>& change) {
    MatchConfig config = client_->get_match(match_id_)->config;
    change(config);
    const auto match = client_->create_match(config);
    ASSERT_TRUE(match.ok()) << match.status().message();
    match_id_ = match->match_id;
    take_seats();
  }

  void take_seats() {
    const auto channel = grpc::CreateChannel(server().address(), grpc::InsecureChannelCredentials());
    stub_ = v1::MatchService::NewStub(channel);
    stage_.emplace(*stub_);
    v1::Join join;
    join.set_match_id(match_id_);
    join.set_name("stage");
    join.set_role(v1::ROLE_STAGE);
    stage_id_ = stage_->joined(join).participant().first_id();
    ann_.emplace(*stub_);
    ship_ = ann_->joined(match_id_, "ann").joined().participant().first_id();
    v1::Frame frame;
    add_spawn(frame, ship_, kShip, 240, 600);
    play(frame);
    ASSERT_THAT(rejections(), IsEmpty());
  }

  /// With claims that hit, and nothing else another than in the file.
  std::string create_sample() {
    const auto path =
        std::filesystem::path(required_environment("SWEEPD_SOURCE_DIR")) / "deploy/samples/coop_shmup.toml";
    const auto run = run_sweepctl({"create", "--config", path.string(), "--clock", "manual"});
    EXPECT_EQ(run->wait(), 0) << run->standard_error();
    std::string id = run->standard_output();
    while (!id.empty() && id.back() == '\n') id.pop_back();
    return id;
  }

  /// One tick, with these frames of ann and of the stage.
  void play(v1::Frame ann = {}, v1::Frame stage = {}) {
    const std::uint64_t tick = client_->get_match(match_id_)->tick + 1;
    ann.set_tick(tick);
    stage.set_tick(tick);
    ann_->send(ann);
    stage_->send(stage);
    const auto stepped = client_->step_match(match_id_, 1, true);
    ASSERT_TRUE(stepped.ok()) << stepped.status().message();
  }

  void run(int ticks) { ASSERT_TRUE(client_->step_match(match_id_, static_cast<std::uint32_t>(ticks)).ok()); }

  Participant ann() {
    const auto match = client_->get_match(match_id_);
    for (const Participant& one : match->participants)
      if (one.name == "ann") return one;
    ADD_FAILURE() << "ann has left";
    return {};
  }

  /// "REASON count" each.
  std::vector<std::string> rejections() {
    std::vector<std::string> texts;
    const Participant participant = ann();
    for (const RejectionCount& count : participant.rejections_by_reason)
      texts.push_back(count.reason + " " + std::to_string(count.count));
    return texts;
  }

  std::int64_t score() {
    const auto match = client_->get_match(match_id_);
    for (const Score& score : match->scores)
      if (score.name == "ann") return score.score;
    return 0;
  }

  std::optional<ObjectState> object(std::uint32_t id) {
    const auto world = client_->get_world(match_id_);
    EXPECT_TRUE(world.ok()) << world.status().message();
    for (const ObjectState& one : world->objects)
      if (one.id == id) return one;
    return std::nullopt;
  }

  std::uint32_t objects_of_ann() { return ann().objects; }

  /// A row of enemies across the field, far from the ship.
  void send_enemies(int count) {
    v1::Frame frame;
    for (int i = 0; i < count; ++i)
      add_spawn(frame, stage_id_ + static_cast<std::uint32_t>(i), kEnemy, 20 + 8 * i, 100);
    play({}, frame);
  }

  static constexpr std::uint64_t kLateClaims = 20;

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

  std::optional<Client> client_;
  std::unique_ptr<v1::MatchService::Stub> stub_;
  std::string match_id_;
  std::optional<RawStream> stage_;
  std::optional<RawStream> ann_;
  std::uint32_t stage_id_ = 0;
  std::uint32_t ship_ = 0;
};

TEST_F(Cheats, AShipDoesNotComeBackElsewhere) {
  v1::Frame frame;
  frame.add_despawns(ship_);
  add_spawn(frame, ship_ + 1, kShip, 20, 600);
  play(frame);
  EXPECT_FALSE(object(ship_));
  v1::Frame again;
  add_spawn(again, ship_ + 1, kShip, 20, 600);
  play(again);
  EXPECT_FALSE(object(ship_ + 1)) << "not before its respawn_delay_ticks are over";
  EXPECT_THAT(rejections(), ::testing::UnorderedElementsAre("TOO_MANY_OBJECTS 1", "TOO_SOON 1"));
}

TEST_F(Cheats, AChangeOfLayersIsNoWayAroundTheSpeed) {
  v1::Frame frame;
  v1::LayerChange& away = *frame.add_layer_changes();
  away.set_object_id(ship_);
  away.set_layer(kItemLayer);
  add_move(*frame.mutable_absolute_moves(), ship_, 20, 600);
  add_move(*frame.mutable_teleports(), ship_, 20, 600);
  v1::Frame back;
  v1::LayerChange& home = *back.add_layer_changes();
  home.set_object_id(ship_);
  home.set_layer(kPlayerLayer);
  play(frame);
  play(back);
  EXPECT_EQ(object(ship_)->position.x, 240);
  EXPECT_THAT(rejections(), ::testing::UnorderedElementsAre("LAYER_NOT_ALLOWED 1", "TOO_FAST 1",
                                                            "MAY_NOT_TELEPORT 1", "NOT_IN_TEMPLATE 1"));
}

TEST_F(Cheats, AShipIsNotWithoutHitBoxNorWithHitPointsOfItsOwn) {
  v1::Frame frame;
  v1::Spawn& immortal = add_spawn(frame, ship_ + 1, 0, 240, 600);
  immortal.set_hit_points(2'000'000'000);
  add_part(*immortal.add_parts(), kPlayerLayer, 0);
  v1::Spawn& better = add_spawn(frame, ship_ + 2, kShip, 240, 600);
  better.set_hit_points(2'000'000'000);
  v1::Reshape& ghost = *frame.add_reshapes();
  ghost.set_object_id(ship_);
  add_part(*ghost.add_parts(), kGrazeLayer, 640);
  play(frame);
  EXPECT_EQ(objects_of_ann(), 1u);
  EXPECT_EQ(object(ship_)->parts.size(), 2u);
  EXPECT_EQ(ann().rejections, 3u);
}

TEST_F(Cheats, ManyShipsDoNotGrazeManyTimes) {
  v1::Frame bullets;
  for (std::uint32_t i = 0; i < 20; ++i)
    add_spawn(bullets, stage_id_ + i, kBullet, 215 + static_cast<int>(i % 3), 600);
  play({}, bullets);
  const std::int64_t honest = score();
  EXPECT_GT(honest, 0) << "they are within the graze box";
  v1::Frame ships;
  for (std::uint32_t i = 1; i <= 190; ++i) add_spawn(ships, ship_ + i, kShip, 215, 600);
  v1::Reshape& wide = *ships.add_reshapes();
  wide.set_object_id(ship_);
  for (int i = 0; i < 32; ++i) add_part(*wide.add_parts(), kGrazeLayer, 640);
  play(ships);
  EXPECT_EQ(objects_of_ann(), 1u);
  EXPECT_EQ(score(), honest) << "the cooldown has not passed";
  EXPECT_EQ(ann().rejections, 191u);
}

TEST_F(Cheats, AShipIsNotDisabledForEverNorAgainAndAgain) {
  const auto disable = [&](std::uint64_t ticks) {
    v1::Frame frame;
    v1::Disable& disable = *frame.add_disables();
    disable.set_object_id(ship_);
    if (ticks > 0) disable.set_until_tick(client_->get_match(match_id_)->tick + 1 + ticks);
    play(frame);
  };
  disable(0);
  disable(121);
  EXPECT_EQ(ann().rejections, 2u);
  disable(120);
  EXPECT_EQ(ann().rejections, 2u) << "for the time after a respawn it may be";
  run(120);
  EXPECT_FALSE(object(ship_)->is_disabled);
  disable(120);
  EXPECT_EQ(ann().rejections, 3u);
  v1::Frame bullet;
  add_spawn(bullet, stage_id_, kBullet, 240, 600);
  play({}, bullet);
  EXPECT_FALSE(object(stage_id_)) << "it has hit";
}

TEST_F(Cheats, ShotsKillNothingThatHonestOnesDoNot) {
  send_enemies(50);
  v1::Frame frame;
  v1::Spawn& giant = add_spawn(frame, ship_ + 1, 0, 240, 320);
  giant.set_damage(2'000'000'000);
  add_part(*giant.add_parts(), kShotLayer, 480);
  add_shot(frame, ship_ + 2, 100, 100);  // From inside an enemy.
  for (std::uint32_t i = 3; i < 153; ++i) add_shot(frame, ship_ + i, 240, 580);
  play(frame);
  EXPECT_EQ(objects_of_ann(), 1u + 4) << "the ship, and a burst of shots";
  EXPECT_EQ(score(), 0);
  for (std::uint32_t i = 0; i < 50; ++i) ASSERT_TRUE(object(stage_id_ + i)) << i;
  EXPECT_THAT(rejections(),
              ::testing::UnorderedElementsAre("TEMPLATE_NOT_ALLOWED 1", "SPAWN_PLACE 1", "TOO_SOON 146"));
}

TEST_F(Cheats, AShotIsAsFastAsItsTemplateWhateverIsDoneToIt) {
  send_enemies(1);
  v1::Frame frame;
  add_shot(frame, ship_ + 1, 240, 580);
  play(frame);
  v1::Frame moves;
  add_move(*moves.mutable_absolute_moves(), ship_ + 1, 20, 100);
  add_move(*moves.mutable_teleports(), ship_ + 1, 20, 100);
  v1::MotionChange& motion = *moves.add_motions();
  motion.set_object_id(ship_ + 1);
  motion.mutable_motion()->set_velocity_y(-400 * kUnit);
  play(moves);
  EXPECT_EQ(ann().rejections, 3u);
  EXPECT_EQ(object(ship_ + 1)->position.y, 580 - 2 * 16);
  EXPECT_EQ(score(), 0);
}

TEST_F(Cheats, AShotIsNoMineAndDoesNotHomeIn) {
  v1::Frame frame;
  add_spawn(frame, ship_ + 1, kShot, 240, 580);  // It stands still.
  v1::Spawn& aside = add_spawn(frame, ship_ + 2, kShot, 240, 580);
  aside.mutable_motion()->set_velocity_x(16 * kUnit);
  v1::Spawn& curved = add_shot(frame, ship_ + 3, 240, 580);
  curved.mutable_motion()->set_acceleration_x(kUnit);
  add_shot(frame, ship_ + 4, 240, 580);
  play(frame);
  v1::Frame homing;
  v1::MotionChange& motion = *homing.add_motions();
  motion.set_object_id(ship_ + 4);
  motion.mutable_motion()->set_velocity_x(8 * kUnit);
  motion.mutable_motion()->set_velocity_y(-13 * kUnit);
  add_move(*homing.mutable_absolute_moves(), ship_ + 4, 245, 560);
  play(homing);
  EXPECT_EQ(objects_of_ann(), 2u);
  EXPECT_EQ(object(ship_ + 4)->position.x, 240);
  EXPECT_THAT(rejections(), ::testing::UnorderedElementsAre("NOT_IN_TEMPLATE 4", "TOO_FAST 1"));
}

TEST_F(Cheats, AShipIsNotInvulnerableJustWhenABulletComes) {
  run(60);
  v1::Frame frame;
  v1::Disable& disable = *frame.add_disables();
  disable.set_object_id(ship_);
  disable.set_until_tick(client_->get_match(match_id_)->tick + 30);
  v1::Frame bullet;
  add_spawn(bullet, stage_id_, kBullet, 240, 600);
  play(frame, bullet);
  EXPECT_FALSE(object(stage_id_)) << "it has hit";
  EXPECT_THAT(rejections(), ::testing::ElementsAre("NOT_IN_TEMPLATE 1"));
}

TEST_F(Cheats, OneBombInATickIsNotFourteen) {
  v1::Frame bullets;
  for (std::uint32_t i = 0; i < 14; ++i)
    add_spawn(bullets, stage_id_ + i, kBullet, 20 + 32 * static_cast<int>(i), 40);
  play({}, bullets);
  v1::Frame bombs;
  for (int i = 0; i < 14; ++i) {
    v1::Selection& bomb = *bombs.add_mass_despawns();
    bomb.add_layers(4);
    bomb.mutable_region()->set_min_x((10 + 32 * i) * kUnit);
    bomb.mutable_region()->set_max_x((30 + 32 * i) * kUnit);
    bomb.mutable_region()->set_max_y(100 * kUnit);
  }
  play(bombs);
  EXPECT_THAT(rejections(), ::testing::ElementsAre("TOO_SOON 11"));
  int left = 0;
  for (std::uint32_t i = 0; i < 14; ++i) left += object(stage_id_ + i) ? 1 : 0;
  EXPECT_EQ(left, 11) << "a burst of three";
}

TEST_F(Cheats, AHeldUpShipMeetsTheBulletsItWouldHaveMet) {
  v1::Frame bullets;
  for (std::uint32_t i = 0; i < 3; ++i)
    add_spawn(bullets, stage_id_ + i, kBullet, 240 - 60 - 40 * static_cast<int>(i), 600);
  play({}, bullets);
  const std::uint64_t first = client_->get_match(match_id_)->tick + 1;
  run(25);
  for (int i = 0; i < 25; ++i) {
    v1::Frame late;
    late.set_tick(first + static_cast<std::uint64_t>(i));
    add_move(*late.mutable_absolute_moves(), ship_, 240 - 8 * (i + 1), 600);
    ann_->send(late);
  }
  ASSERT_TRUE(eventually([&] { return ann().late_frames == 25; }));
  run(25);
  EXPECT_FALSE(object(ship_)) << "three bullets have taken its three hit points";
  EXPECT_EQ(ann().late_ticks_max, 25u);
}

TEST_F(Cheats, AClaimIsNotAsTolerantAsItAsksFor) {
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
TEST_F(Cheats, UnderEnforceClaimsKillNothingThatShotsDoNot) {
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

TEST_F(Cheats, AShipIsNoShotOfAClaim) {
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
TEST_F(Cheats, LagThatIsSwitchedOnAndOffLetsNoOlderClaimsPass) {
  lag_on_and_off_and_claim();
  EXPECT_THAT(ann().claims, ::testing::ElementsAre(::testing::Pair(Verdict::kImplausibleView, kLateClaims)));
  start_with([](MatchConfig& config) { config.claims.window_rise_ticks = 0; });
  lag_on_and_off_and_claim();
  EXPECT_GT(ann().claims[Verdict::kConfirmed], 0u) << "without the bound it gains by it";
}

TEST_F(Cheats, RefusalsAreToldByTemplateRuleValueAndLimitAfterTheEndToo) {
  v1::Frame frame;
  add_spawn(frame, ship_ + 1, kShip, 240, 600);
  add_move(*frame.mutable_absolute_moves(), ship_, 20, 600);
  play(frame);
  const auto rejection = ann_->rejection();
  EXPECT_EQ(rejection.broken_rule().rule(), "templates[0].spawn.alive_max");
  EXPECT_EQ(rejection.broken_rule().template_name(), "ship");
  EXPECT_EQ(rejection.broken_rule().found(), 1u);
  EXPECT_EQ(rejection.broken_rule().limit(), 1u);
  const auto expect_refusals = [](const Participant& who) {
    ASSERT_EQ(who.template_refusals.size(), 2u);
    const auto& [alive, alive_count] = who.template_refusals[0];
    EXPECT_EQ(alive.rule, "templates[0].spawn.alive_max");
    EXPECT_EQ(alive_count, 1u);
    const auto& [speed, speed_count] = who.template_refusals[1];
    EXPECT_EQ(speed.rule, "templates[0].speed_max");
    EXPECT_EQ(speed.template_name, "ship");
    EXPECT_EQ(speed.found, 220u * kUnit);
    EXPECT_EQ(speed.limit, 4101u) << "two ticks' way of what it has saved";
    EXPECT_EQ(speed_count, 1u);
  };
  expect_refusals(ann());
  const auto ended = client_->end_match(match_id_);
  ASSERT_TRUE(ended.ok()) << ended.status().message();
  const auto after = client_->get_match(match_id_);
  ASSERT_TRUE(after.ok()) << after.status().message();
  EXPECT_EQ(after->state, MatchState::kEnded);
  EXPECT_EQ(after->end_reason, EndReason::kRequested);
  expect_refusals(after->participants.at(1));
  expect_refusals(ended->participants.at(1));
}

TEST_F(Cheats, RefusalsOfOneWhoHasLeftAreInTheFinalResult) {
  v1::Frame frame;
  add_spawn(frame, ship_ + 1, kShip, 240, 600);
  play(frame);
  ann_->cut();
  ASSERT_TRUE(eventually([&] { return ann().is_away; }));
  ASSERT_TRUE(client_->step_match(match_id_, 301).ok());
  ASSERT_TRUE(client_->end_match(match_id_).ok());
  const auto after = client_->get_match(match_id_);
  ASSERT_TRUE(after.ok()) << after.status().message();
  ASSERT_EQ(after->former_participants.size(), 1u);
  ASSERT_EQ(after->former_participants[0].template_refusals.size(), 1u);
  EXPECT_EQ(after->former_participants[0].template_refusals[0].broken_rule.template_name, "ship");
}

TEST_F(Cheats, WhatDiesComesBackNoSoonerForWhoLeavesAndJoinsAgain) {
  v1::Frame frame;
  frame.add_despawns(ship_);
  play(frame);
  ann_->cut();
  ASSERT_TRUE(eventually([&] { return ann().is_away; })) << "else its seat is kept from later on";
  ASSERT_TRUE(client_->step_match(match_id_, 301).ok()) << "its seat is given up";
  ann_.emplace(*stub_);
  ship_ = ann_->joined(match_id_, "ann").joined().participant().first_id();
  v1::Frame ships;
  for (std::uint32_t i = 1; i < 5; ++i) add_spawn(ships, ship_ + i, kShip, 240, 600);
  play(ships);
  EXPECT_EQ(objects_of_ann(), 1u);
}

}  // namespace
}  // namespace sweepd::test::cheat_test
