// SPDX-License-Identifier: MIT
// Protects the reasons of EXITs: each one, on either side, and which counts when several are true.

#include "world_fixture.h"

namespace sweepd::collision::exit_reason_test {
namespace {

/// Object 1, a player, and object 2, a bullet, are in contact, since the first tick.
struct ExitReasonTest : WorldTest {
  void meet() {
    if (!player_spec.id) player_spec = spec(1, kPlayer, {0, 0});
    if (!bullet_spec.id) bullet_spec = spec(2, kBullet, {0, 0});
    spawn(player_spec);
    spawn(bullet_spec);
    ASSERT_EQ(tick().size(), 1u);
  }
  ObjectSpec player_spec;
  ObjectSpec bullet_spec;
  const std::vector<Part> far_part{{{500, 500, 510, 510}, kBullet}};
  const std::vector<Part> scenery_part{{{-10, -10, 10, 10}, kScenery}};
};

TEST_F(ExitReasonTest, Moved) {
  meet();
  world.move_to(1, {500, 0});
  EXPECT_EQ(only_exit(), ExitReason::kMoved);
}

TEST_F(ExitReasonTest, DespawnedOnEitherSide) {
  meet();
  world.despawn(1);
  EXPECT_EQ(only_exit(), ExitReason::kDespawned);
  spawn(spec(1, kPlayer, {0, 0}));
  EXPECT_EQ(tick().size(), 1u);
  world.despawn(2);
  EXPECT_EQ(only_exit(), ExitReason::kDespawned);
}

TEST_F(ExitReasonTest, Expired) {
  bullet_spec = spec(2, kBullet, {0, 0});
  bullet_spec.time_to_live_ticks = 1;
  meet();
  EXPECT_EQ(only_exit(), ExitReason::kExpired);
}

TEST_F(ExitReasonTest, LeftPlayfield) {
  bullet_spec = spec(2, kBullet, {0, 0});
  bullet_spec.despawn_outside_playfield = true;
  meet();
  world.move_to(1, {1011, 0});
  world.move_to(2, {1011, 0});
  EXPECT_EQ(only_exit(), ExitReason::kLeftPlayfield);
}

TEST_F(ExitReasonTest, LayerChanged) {
  meet();
  world.change_layer(2, std::nullopt, kScenery);
  EXPECT_EQ(only_exit(), ExitReason::kLayerChanged);
}

TEST_F(ExitReasonTest, LayerChangedToOneThatAlsoCollidesExitsAndEnters) {
  meet();
  world.change_layer(1, 0, kGraze);
  const std::vector<Event> events = tick();
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].reason, ExitReason::kLayerChanged);
  EXPECT_EQ(events[1].key, (EncounterKey{1, 2, kGraze, kBullet}));
}

TEST_F(ExitReasonTest, LayerChangedByAReshapeThatLeavesNoPartOnTheLayer) {
  meet();
  world.reshape(2, scenery_part);
  EXPECT_EQ(only_exit(), ExitReason::kLayerChanged);
}

TEST_F(ExitReasonTest, AChangeToTheSameLayerIsNone) {
  meet();
  world.change_layer(2, std::nullopt, kBullet);
  world.move_to(2, {500, 0});
  EXPECT_EQ(only_exit(), ExitReason::kMoved);
}

TEST_F(ExitReasonTest, TheLayerOfAnotherEncounterDoesNotCount) {
  player_spec = spec(1, kPlayer, {0, 0});
  player_spec.parts.push_back({{-30, -30, 30, 30}, kGraze});
  spawn(player_spec);
  spawn(spec(2, kBullet, {0, 0}));
  ASSERT_EQ(tick().size(), 2u);
  world.change_layer(1, 0, kScenery);
  world.move_to(2, {500, 0});
  const std::vector<Event> events = tick();
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].reason, ExitReason::kLayerChanged);
  EXPECT_EQ(events[1].key.layer_a, kGraze);
  EXPECT_EQ(events[1].reason, ExitReason::kMoved);
}

TEST_F(ExitReasonTest, Disabled) {
  meet();
  world.disable_until(1, kForever);
  EXPECT_EQ(only_exit(), ExitReason::kDisabled);
}

TEST_F(ExitReasonTest, Reshaped) {
  meet();
  world.reshape(2, far_part);
  EXPECT_EQ(only_exit(), ExitReason::kReshaped);
}

TEST_F(ExitReasonTest, OwnerLeft) {
  meet();
  world.despawn(2, ExitReason::kOwnerLeft);
  EXPECT_EQ(only_exit(), ExitReason::kOwnerLeft);
}

TEST_F(ExitReasonTest, MatchEnded) {
  meet();
  const std::span<const Event> events = world.end();
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0],
            (Event{2, 2, EventKind::kExit, ExitReason::kMatchEnded, {1, 2, kPlayer, kBullet}, {0, 0}}));
}

TEST_F(ExitReasonTest, NotesOfAnEarlierTickDoNotCount) {
  meet();
  world.reshape(2, std::vector<Part>{{{-9, -9, 9, 9}, kBullet}});
  EXPECT_TRUE(tick().empty());
  world.move_to(2, {500, 0});
  EXPECT_EQ(only_exit(), ExitReason::kMoved);
}

// From here on, each weaker reason is true as well.

TEST_F(ExitReasonTest, OwnerLeftIsStrongerThanDespawned) {
  meet();
  world.despawn(1, ExitReason::kDespawned);
  world.despawn(2, ExitReason::kOwnerLeft);
  EXPECT_EQ(only_exit(), ExitReason::kOwnerLeft);
}

TEST_F(ExitReasonTest, DespawnedIsStrongerThanExpired) {
  bullet_spec = spec(2, kBullet, {0, 0});
  bullet_spec.time_to_live_ticks = 1;
  meet();
  world.despawn(1);
  EXPECT_EQ(only_exit(), ExitReason::kDespawned);
}

TEST_F(ExitReasonTest, ExpiredIsStrongerThanLeftPlayfield) {
  bullet_spec = spec(2, kBullet, {0, 0});
  bullet_spec.time_to_live_ticks = 1;
  player_spec = spec(1, kPlayer, {0, 0});
  player_spec.despawn_outside_playfield = true;
  meet();
  world.move_to(1, {5000, 0});
  EXPECT_EQ(only_exit(), ExitReason::kExpired);
}

TEST_F(ExitReasonTest, LeftPlayfieldIsStrongerThanDisabled) {
  bullet_spec = spec(2, kBullet, {0, 0});
  bullet_spec.despawn_outside_playfield = true;
  meet();
  world.disable_until(1, kForever);
  world.move_to(2, {5000, 0});
  EXPECT_EQ(only_exit(), ExitReason::kLeftPlayfield);
}

TEST_F(ExitReasonTest, DisabledIsStrongerThanLayerChanged) {
  meet();
  world.disable_until(1, kForever);
  world.change_layer(2, 0, kScenery);
  EXPECT_EQ(only_exit(), ExitReason::kDisabled);
}

TEST_F(ExitReasonTest, LayerChangedIsStrongerThanReshaped) {
  meet();
  world.reshape(1, std::vector<Part>{{{700, 0, 710, 10}, kPlayer}});
  world.change_layer(2, 0, kScenery);
  EXPECT_EQ(only_exit(), ExitReason::kLayerChanged);
}

TEST_F(ExitReasonTest, ReshapedIsStrongerThanMoved) {
  meet();
  world.reshape(1, std::vector<Part>{{{-9, -9, 9, 9}, kPlayer}});
  world.move_to(2, {500, 0});
  EXPECT_EQ(only_exit(), ExitReason::kReshaped);
}

}  // namespace
}  // namespace sweepd::collision::exit_reason_test
