// SPDX-License-Identifier: MIT
//
// Protects honest players from one that cheats from a legitimate seat, with a client of its own, under the
// sample's strict profile: no trick gains a score, a kill or a survival. Every refusal names its rule, and is
// counted.
#include "integration/support/cheats.h"

namespace sweepd::test::cheat_test {
namespace {

using ::testing::IsEmpty;

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

TEST_F(Cheats, AShipThatIsDespawnedBeforeItsLastHitCostsALifeAllTheSame) {
  for (std::uint32_t life = 1; life <= 5; ++life) {
    v1::Frame frame;
    frame.add_despawns(ship_ + life - 1);
    play(frame);
    run(240);
    v1::Frame again;
    add_spawn(again, ship_ + life, kShip, 240, 600);
    play(again);
    ASSERT_EQ(objects_of_ann(), life < 5 ? 1u : 0u) << life;
  }
  EXPECT_THAT(rejections(), ::testing::ElementsAre("TOO_MANY_OBJECTS 1"));
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
  disable(59);
  EXPECT_EQ(ann().rejections, 2u) << "that would be its 61st tick";
  disable(57);
  EXPECT_EQ(ann().rejections, 2u) << "for the time after a respawn it may be";
  run(56);
  EXPECT_TRUE(object(ship_)->is_disabled);
  run(1);
  EXPECT_FALSE(object(ship_)->is_disabled);
  disable(60);
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

TEST_F(Cheats, AShotIsNotFiredFromWhereTheShipGoesAndComesBackFromInOneTick) {
  v1::PlayRequest both;
  v1::Frame& out = *both.mutable_frames()->add_frames();
  add_move(*out.mutable_absolute_moves(), ship_, 248, 600);
  v1::Frame& back = *both.mutable_frames()->add_frames();
  add_shot(back, ship_ + 1, 281, 600);
  add_shot(back, ship_ + 2, 280, 600);
  add_move(*back.mutable_absolute_moves(), ship_, 240, 600);
  for (v1::Frame& frame : *both.mutable_frames()->mutable_frames())
    frame.set_tick(client_->get_match(match_id_)->tick + 1);
  ann_->send(both);
  play();
  EXPECT_EQ(object(ship_)->position.x, 240);
  EXPECT_FALSE(object(ship_ + 1)) << "41 units from where the ship was when the tick began";
  EXPECT_TRUE(object(ship_ + 2));
  EXPECT_THAT(rejections(), ::testing::ElementsAre("SPAWN_PLACE 1"));
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

TEST_F(Cheats, AFrozenBulletIsNotGrazedAgainAndAgain) {
  v1::Frame bullet;
  add_spawn(bullet, stage_id_, kBullet, 240, 575).mutable_motion()->set_velocity_x(8 * kUnit);
  play({}, bullet);
  v1::Frame bomb;
  bomb.add_freezes()->add_layers(4);
  bomb.mutable_freezes(0)->mutable_region()->set_max_x(480 * kUnit);
  bomb.mutable_freezes(0)->mutable_region()->set_max_y(640 * kUnit);
  play(bomb);
  run(60);
  EXPECT_LE(score(), 10) << "it has flown by";
}

TEST_F(Cheats, AShipThatStandsStillIsNotLeftWhereNoBulletsLiveByAScroll) {
  v1::Frame scroll;
  scroll.mutable_scroll()->set_y(-200 * kUnit);
  v1::Frame bullet;
  add_spawn(bullet, stage_id_, kBullet, 240, 424);
  play({}, scroll);
  EXPECT_EQ(object(ship_)->position.y, 640 - 200 - 16);
  play({}, bullet);
  EXPECT_FALSE(object(stage_id_)) << "it has hit";
}

TEST_F(Cheats, AHeldUpShipMeetsTheBulletsItWouldHaveMet) {
  start_with([](MatchConfig& config) {  // So that the way of 25 ticks is not too fast for it.
    for (LayerLimits& limits : config.layer_limits) limits.speed_budget_ticks = 30;
    for (ObjectTemplate& kind : config.templates) kind.speed_budget_ticks = 30;
  });
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

TEST_F(Cheats, TheSameEnemyIsEscapedFromOnce) {
  v1::Frame enemy;
  add_spawn(enemy, stage_id_, kEnemy, 240, 600);
  play({}, enemy);
  const auto move_enemy = [&](int y) {
    v1::Frame frame;
    add_move(*frame.mutable_absolute_moves(), stage_id_, 240, y);
    play({}, frame);
    run(1);
  };
  move_enemy(300);
  EXPECT_EQ(score(), 50);
  move_enemy(600);
  move_enemy(300);
  EXPECT_TRUE(object(ship_)) << "it has a hit point left, and has escaped twice";
  EXPECT_EQ(score(), 50);
}

TEST_F(Cheats, APlayerIsNotItsOwnStageWhenTheStageHasLeft) {
  stage_->cut();
  ASSERT_TRUE(eventually([&] { return participant("stage").is_away; }));
  ASSERT_TRUE(client_->step_match(match_id_, 301).ok());
  v1::Frame items;
  for (std::uint32_t i = 1; i <= 100; ++i) add_spawn(items, ship_ + i, kItem, 240, 600);
  items.set_tick(client_->get_match(match_id_)->tick + 1);
  ann_->send(items);
  ASSERT_TRUE(client_->step_match(match_id_, 1, true).ok());
  EXPECT_EQ(score(), 0) << "a hundred items are 50,000 points";
  EXPECT_THAT(rejections(), ::testing::ElementsAre("TEMPLATE_NOT_ALLOWED 100"));
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
    ASSERT_EQ(who.template_refusals.size(), 2u) << who.name;
    const auto& [alive, alive_count] = who.template_refusals[0];
    EXPECT_EQ(alive.rule, "templates[0].spawn.alive_max");
    EXPECT_EQ(alive_count, 1u);
    const auto& [speed, speed_count] = who.template_refusals[1];
    EXPECT_EQ(speed.rule, "templates[0].speed_max");
    EXPECT_EQ(speed.template_name, "ship");
    EXPECT_EQ(speed.found, 220u * kUnit);
    EXPECT_EQ(speed.limit, 4102u) << "two ticks' way of what it has saved";
    EXPECT_EQ(speed_count, 1u);
  };
  expect_refusals(ann());
  const auto ended = client_->end_match(match_id_);
  ASSERT_TRUE(ended.ok()) << ended.status().message();
  const auto after = client_->get_match(match_id_);
  ASSERT_TRUE(after.ok()) << after.status().message();
  EXPECT_EQ(after->state, MatchState::kEnded);
  EXPECT_EQ(after->end_reason, EndReason::kRequested);
  for (const auto& match : {*after, *ended}) {
    const auto who = std::ranges::find(match.participants, "ann", &Participant::name);
    ASSERT_NE(who, match.participants.end());
    expect_refusals(*who);
  }
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
