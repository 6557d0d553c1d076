// SPDX-License-Identifier: MIT
// Protects what a tick does by itself, and in which order: expiry, motion, the playfield, enabling, the end.

#include "world_fixture.h"

namespace sweepd::collision::world_tick_test {
namespace {

struct WorldTick : WorldTest {
  std::vector<ObjectId> removed() {
    std::vector<ObjectId> ids;
    for (const RemovedObject& removed : world.removed_by_world()) ids.push_back(removed.id);
    return ids;
  }
};

TEST_F(WorldTick, TicksCountFromOne) {
  EXPECT_EQ(world.tick(), 0u);
  tick();
  EXPECT_EQ(world.tick(), 1u);
}

TEST_F(WorldTick, AnObjectIsJudgedInAsManyTicksAsItLives) {
  spawn(spec(1, kPlayer, {0, 0}));
  ObjectSpec bullet = spec(2, kBullet, {0, 0});
  bullet.time_to_live_ticks = 2;
  spawn(bullet);
  EXPECT_EQ(world.find(2)->expires_at, 3u);
  EXPECT_EQ(world.find(1)->expires_at, kForever);
  EXPECT_EQ(tick().size(), 1u);
  EXPECT_TRUE(tick().empty());
  EXPECT_EQ(only_exit(), ExitReason::kExpired);
  EXPECT_EQ(removed(), std::vector<ObjectId>{2});
  EXPECT_FALSE(world.find(2).has_value());
  tick();
  EXPECT_TRUE(removed().empty());
}

TEST_F(WorldTick, VelocityGrowsBeforeThePositionDoes) {
  ObjectSpec object = spec(1, kPlayer, {0, 0});
  object.motion = {{10, 0}, {1, -2}};
  spawn(object);
  tick();
  EXPECT_EQ(world.find(1)->position, (Point{11, -2}));
  tick();
  EXPECT_EQ(world.find(1)->position, (Point{23, -6}));
  EXPECT_EQ(world.find(1)->motion.velocity, (Point{12, -4}));
}

TEST_F(WorldTick, MotionComesOnTopOfAMove) {
  ObjectSpec object = spec(1, kPlayer, {0, 0});
  object.motion.velocity = {10, 0};
  spawn(object);
  tick();
  world.move_to(1, {100, 0});
  tick();
  EXPECT_EQ(world.find(1)->position, (Point{110, 0}));
}

TEST_F(WorldTick, MotionCanBeStoppedAndStarted) {
  spawn(spec(1, kPlayer, {0, 0}));
  world.set_motion(1, {{5, 5}, {}});
  tick();
  world.set_motion(1, {});
  tick();
  EXPECT_EQ(world.find(1)->position, (Point{5, 5}));
}

TEST_F(WorldTick, WhatWouldMoveOutOfTheRangeIsRemovedFlaggedOrNot) {
  ObjectSpec edge = spec(1, kPlayer, {kSubunitsMax - 11, 0});
  edge.motion.velocity = {1, 0};
  ObjectSpec speed = spec(2, kPlayer, {0, 0});
  speed.motion = {{0, kSubunitsMin}, {0, -1}};
  ObjectSpec centre = spec(3, kPlayer, {0, kSubunitsMax - 1});  // Its part is far from its position.
  centre.parts[0].box = {-100, -100, -90, -90};
  centre.motion.velocity = {0, 2};
  spawn(edge);
  spawn(speed);
  spawn(centre);
  tick();
  EXPECT_EQ(removed(), (std::vector<ObjectId>{2, 3}));
  tick();
  EXPECT_EQ(removed(), std::vector<ObjectId>{1});
  EXPECT_EQ(world.object_count(), 0u);
}

TEST_F(WorldTick, WhatLeavesThePlayfieldWithAllItsPartsIsRemovedIfFlagged) {
  ObjectSpec flagged = spec(1, kPlayer, {0, 0});
  flagged.despawn_outside_playfield = true;
  flagged.parts.push_back({{40, -10, 60, 10}, kPlayer});
  spawn(flagged);
  spawn(spec(2, kPlayer, {5000, 0}));
  world.move_to(1, {-1060, 0});  // The second part still touches the edge.
  tick();
  EXPECT_TRUE(removed().empty());
  world.move_to(1, {-1061, 0});
  tick();
  EXPECT_EQ(removed(), std::vector<ObjectId>{1});
  EXPECT_TRUE(world.find(2).has_value());
}

TEST_F(WorldTick, AroundThePlayfieldIsOutside) {
  ObjectSpec around = spec(1, kPlayer, {0, 0});
  around.despawn_outside_playfield = true;
  around.parts = {{{-2000, 0, -1500, 0}, kPlayer}, {{1500, 0, 2000, 0}, kPlayer}};
  spawn(around);
  tick();
  EXPECT_EQ(removed(), std::vector<ObjectId>{1});
}

TEST_F(WorldTick, AReshapeCanLeaveThePlayfield) {
  ObjectSpec object = spec(1, kPlayer, {0, 0});
  object.despawn_outside_playfield = true;
  spawn(object);
  tick();
  world.reshape(1, std::vector<Part>{{{3000, 0, 3001, 1}, kPlayer}});
  tick();
  EXPECT_EQ(removed(), std::vector<ObjectId>{1});
}

TEST_F(WorldTick, SpawnedAndDespawnedWithinATickNeverExisted) {
  spawn(spec(1, kPlayer, {0, 0}));
  tick();
  spawn(spec(2, kBullet, {0, 0}));
  world.despawn(2);
  EXPECT_TRUE(tick().empty());
}

TEST_F(WorldTick, AReusedIdExitsBeforeItEntersAgain) {
  spawn(spec(1, kPlayer, {0, 0}));
  spawn(spec(2, kBullet, {0, 0}));
  tick();
  world.despawn(2);
  EXPECT_EQ(only_exit(), ExitReason::kDespawned);
  spawn(spec(2, kBullet, {0, 0}));
  const std::vector<Event> events = tick();
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].kind, EventKind::kEnter);
}

TEST_F(WorldTick, ADisabledObjectMeetsNobodyUntilItsTick) {
  spawn(spec(1, kPlayer, {0, 0}));
  spawn(spec(2, kBullet, {0, 0}));
  tick();
  world.disable_until(1, 4);
  EXPECT_EQ(only_exit(), ExitReason::kDisabled);
  EXPECT_TRUE(tick().empty());
  const std::vector<Event> events = tick();
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].kind, EventKind::kEnter);
  EXPECT_EQ(events[0].tick, 4u);
  EXPECT_EQ(world.find(1)->disabled_until, 0u);
}

TEST_F(WorldTick, DisablingAndEnablingWithinATickIsNothing) {
  spawn(spec(1, kPlayer, {0, 0}));
  spawn(spec(2, kBullet, {0, 0}));
  tick();
  world.disable_until(1, kForever);
  world.enable(1);
  EXPECT_TRUE(tick().empty());
  EXPECT_EQ(world.encounter_count(), 1u);
}

TEST_F(WorldTick, OnlyTheLastDisablingCounts) {
  spawn(spec(1, kPlayer, {0, 0}));
  spawn(spec(2, kBullet, {0, 0}));
  world.disable_until(1, 2);
  world.disable_until(1, 3);
  EXPECT_TRUE(tick().empty());
  EXPECT_TRUE(tick().empty());
  EXPECT_EQ(tick().size(), 1u);
}

TEST_F(WorldTick, ADisabledObjectIsStillMovedReshapedAndRemoved) {
  ObjectSpec object = spec(1, kPlayer, {0, 0});
  object.motion.velocity = {400, 0};
  object.despawn_outside_playfield = true;
  spawn(object);
  world.disable_until(1, kForever);
  tick();
  EXPECT_EQ(world.find(1)->position, (Point{400, 0}));
  EXPECT_TRUE(world.reshape(1, std::vector<Part>{{{0, 0, 1, 1}, kPlayer}, {{0, 0, 2, 2}, kGraze}}).ok());
  tick();
  tick();
  EXPECT_EQ(removed(), std::vector<ObjectId>{1});
}

TEST_F(WorldTick, AnObjectReshapedWhileDisabledComesBackInItsNewShape) {
  spawn(spec(1, kPlayer, {0, 0}));
  spawn(spec(2, kBullet, {100, 0}));
  world.disable_until(1, kForever);
  tick();
  world.reshape(1, std::vector<Part>{{{0, 0, 5, 5}, kGraze}, {{80, 0, 95, 5}, kPlayer}});
  world.enable(1);
  const std::vector<Event> events = tick();
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].parts, (PartPair{1, 0}));
}

TEST_F(WorldTick, AReshapeThatStaysInContactIsNoEvent) {
  spawn(spec(1, kPlayer, {0, 0}));
  spawn(spec(2, kBullet, {0, 0}));
  tick();
  world.reshape(1, std::vector<Part>{{{600, 0, 601, 1}, kPlayer}, {{0, 0, 1, 1}, kPlayer}});
  EXPECT_TRUE(tick().empty());
  EXPECT_EQ(world.open_encounters()[0].parts, (PartPair{1, 0}));
}

TEST_F(WorldTick, TheEndGivesUpWhatCameAfterTheLastTick) {
  for (const ObjectId id : {1u, 2u}) spawn(spec(id, kPlayer, {0, 0}));
  spawn(spec(3, kBullet, {0, 0}));
  tick();
  world.despawn(1);
  spawn(spec(4, kBullet, {0, 0}));
  const std::span<const Event> events = world.end();
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].key, (EncounterKey{1, 3, kPlayer, kBullet}));
  EXPECT_EQ(events[1].key, (EncounterKey{2, 3, kPlayer, kBullet}));
  EXPECT_EQ(events[1].reason, ExitReason::kMatchEnded);
  EXPECT_EQ(events[1].sequence_number, 4u);
  EXPECT_EQ(events[1].tick, 2u);
  EXPECT_EQ(world.tick(), 2u);
  EXPECT_EQ(world.object_count(), 0u);
  EXPECT_EQ(world.encounter_count(), 0u);
}

TEST_F(WorldTick, TheStateHashDependsOnIdAndPositionAndNotOnHistory) {
  World other(make_config());
  spawn(spec(1, kPlayer, {3, 4}));
  spawn(spec(2, kPlayer, {5, 6}));
  other.spawn(spec(9, kPlayer, {0, 0}));
  other.spawn(spec(2, kBullet, {0, 0}));
  other.despawn(9);
  other.spawn(spec(1, kPlayer, {3, 4}));
  EXPECT_NE(world.state_hash(), other.state_hash());
  other.move_to(2, {6, 5});
  EXPECT_NE(world.state_hash(), other.state_hash());
  other.move_to(2, {5, 6});
  EXPECT_EQ(world.state_hash(), other.state_hash());
  other.move_to(1, {5, 6});
  other.move_to(2, {3, 4});
  EXPECT_NE(world.state_hash(), other.state_hash());
}

// Where little changes, only what may have changed is hashed again.
TEST_F(WorldTick, TheStateHashOfACalmWorldIsThatOfOneMadeAnew) {
  constexpr ObjectId kObjects = 1000;
  const auto place_of = [](ObjectId id, int tick) {
    return Point{static_cast<Subunits>(id), id % 97 == static_cast<ObjectId>(tick) ? tick : 0};
  };
  for (ObjectId id = 1; id <= kObjects; ++id) spawn(spec(id, kPlayer, place_of(id, 0)));
  for (int at = 1; at < 20; ++at) {
    World made_anew(make_config());
    for (ObjectId id = 1; id <= kObjects + at; ++id) {
      if (id == static_cast<ObjectId>(2 * at)) continue;
      made_anew.spawn(spec(id, kPlayer, place_of(id, at)));
    }
    for (ObjectId id = 1; id <= kObjects; ++id) world.move_to(id, place_of(id, at));
    world.despawn(2 * at);
    if (at > 1) spawn(spec(2 * at - 2, kPlayer, place_of(2 * at - 2, at)));
    spawn(spec(kObjects + at, kPlayer, place_of(kObjects + at, at)));
    EXPECT_EQ(world.state_hash(), made_anew.state_hash()) << "in tick " << at;
    tick();
    EXPECT_EQ(world.state_hash(), made_anew.state_hash()) << "after tick " << at;
  }
}

TEST_F(WorldTick, TheStateHashHasItsGoldenValues) {
  EXPECT_EQ(world.state_hash(), 0u);
  spawn(spec(1, kPlayer, {-3, 4}));
  EXPECT_EQ(world.state_hash(), 0x2d822e516c15c1f2u);
  spawn(spec(4'000'000'000, kPlayer, {70000, -70000}));
  EXPECT_EQ(world.state_hash(), 0x96341bade1725f4u);
}

}  // namespace
}  // namespace sweepd::collision::world_tick_test
