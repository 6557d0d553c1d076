// SPDX-License-Identifier: MIT
// Protects what an encounter is: closed edges, the matrix, parts, layers, and the order of the log.

#include "world_fixture.h"

namespace sweepd::collision::world_overlap_test {
namespace {

using WorldOverlap = WorldTest;

TEST_F(WorldOverlap, TouchingEdgesOverlap) {
  spawn(spec(1, kPlayer, {0, 0}));
  spawn(spec(2, kBullet, {20, 20}));
  const std::vector<Event> events = tick();
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0], (Event{1, 1, EventKind::kEnter, ExitReason::kNone, {1, 2, kPlayer, kBullet}, {0, 0}}));
  world.move_to(2, {21, 20});
  EXPECT_EQ(only_exit(), ExitReason::kMoved);
}

TEST_F(WorldOverlap, PointsMeetBoxesAndEachOther) {
  ObjectSpec point = spec(2, kBullet, {10, 10});
  point.parts[0].box = {};
  ObjectSpec other = spec(3, kPlayer, {10, 10});
  other.parts[0].box = {};
  spawn(spec(1, kPlayer, {0, 0}));
  spawn(point);
  spawn(other);
  EXPECT_EQ(tick().size(), 2u);
}

TEST_F(WorldOverlap, TheMatrixDecidesWhoMeets) {
  spawn(spec(1, kPlayer, {0, 0}));
  spawn(spec(2, kPlayer, {0, 0}));
  spawn(spec(3, kScenery, {0, 0}));
  spawn(spec(4, kBullet, {0, 0}));
  const std::vector<Event> events = tick();
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].key, (EncounterKey{1, 4, kPlayer, kBullet}));
  EXPECT_EQ(events[1].key, (EncounterKey{2, 4, kPlayer, kBullet}));
}

TEST_F(WorldOverlap, LayersBelongToTheIdsInTheirOrder) {
  spawn(spec(1, kBullet, {0, 0}));
  spawn(spec(2, kPlayer, {0, 0}));
  const std::vector<Event> events = tick();
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].key, (EncounterKey{1, 2, kBullet, kPlayer}));
}

TEST_F(WorldOverlap, PartsOfOneObjectNeverMeet) {
  ObjectSpec object = spec(1, kPlayer, {0, 0});
  object.parts.push_back({{-10, -10, 10, 10}, kBullet});
  spawn(object);
  EXPECT_TRUE(tick().empty());
}

TEST_F(WorldOverlap, ObjectsOfOneOwnerMayMeet) {
  ObjectSpec player = spec(1, kPlayer, {0, 0});
  ObjectSpec bullet = spec(2, kBullet, {0, 0});
  player.owner = bullet.owner = 7;
  spawn(player);
  spawn(bullet);
  EXPECT_EQ(tick().size(), 1u);
}

TEST_F(WorldOverlap, SeveralPairsOfPartsAreOneEncounterWithTheLowestPair) {
  ObjectSpec boss = spec(1, kPlayer, {0, 0});
  boss.parts = {{{500, 0, 510, 10}, kPlayer}, {{0, 0, 50, 10}, kPlayer}, {{20, 0, 70, 10}, kPlayer}};
  ObjectSpec bullets = spec(2, kBullet, {60, 0});
  bullets.parts = {{{0, 0, 5, 5}, kBullet}, {{-20, 0, -15, 5}, kBullet}};
  spawn(boss);
  spawn(bullets);
  std::vector<Event> events = tick();
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].parts, (PartPair{1, 1}));
}

TEST_F(WorldOverlap, AnExitNamesThePairOfTheLastTickInContact) {
  ObjectSpec boss = spec(1, kPlayer, {0, 0});
  boss.parts = {{{0, 0, 10, 10}, kPlayer}, {{0, 0, 50, 10}, kPlayer}};
  spawn(boss);
  spawn(spec(2, kBullet, {0, 0}));
  ASSERT_EQ(tick()[0].parts, (PartPair{0, 0}));
  world.move_to(2, {40, 0});
  EXPECT_TRUE(tick().empty());
  EXPECT_EQ(world.open_encounters()[0].parts, (PartPair{1, 0}));
  EXPECT_EQ(world.open_encounters()[0].since_tick, 1u);
  world.move_to(2, {400, 0});
  const std::vector<Event> events = tick();
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].parts, (PartPair{1, 0}));
}

TEST_F(WorldOverlap, AGrazeAndAHitAreTwoEncounters) {
  ObjectSpec player = spec(1, kPlayer, {0, 0});
  player.parts = {{{-2, -2, 2, 2}, kPlayer}, {{-30, -30, 30, 30}, kGraze}};
  spawn(player);
  spawn(spec(2, kBullet, {35, 0}));
  std::vector<Event> events = tick();
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].key, (EncounterKey{1, 2, kGraze, kBullet}));
  EXPECT_EQ(events[0].parts, (PartPair{1, 0}));
  world.move_to(2, {5, 0});
  events = tick();
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].key, (EncounterKey{1, 2, kPlayer, kBullet}));
  EXPECT_EQ(world.encounter_count(), 2u);
}

TEST_F(WorldOverlap, ExitsComeBeforeEntersAndBothAreSorted) {
  for (const ObjectId id : {5u, 1u, 3u}) spawn(spec(id, kPlayer, {static_cast<Subunits>(id) * 100, 0}));
  spawn(spec(9, kBullet, {100, 0}));
  spawn(spec(7, kBullet, {100, 0}));
  EXPECT_EQ(tick().size(), 2u);
  world.move_to(9, {300, 0});
  world.move_to(7, {500, 0});
  const std::vector<Event> events = tick();
  ASSERT_EQ(events.size(), 4u);
  EXPECT_EQ(events[0].key, (EncounterKey{1, 7, kPlayer, kBullet}));
  EXPECT_EQ(events[1].key, (EncounterKey{1, 9, kPlayer, kBullet}));
  EXPECT_EQ(events[2].key, (EncounterKey{3, 9, kPlayer, kBullet}));
  EXPECT_EQ(events[3].key, (EncounterKey{5, 7, kPlayer, kBullet}));
  EXPECT_EQ(events[1].kind, EventKind::kExit);
  EXPECT_EQ(events[2].kind, EventKind::kEnter);
  for (std::size_t i = 0; i < events.size(); ++i) EXPECT_EQ(events[i].sequence_number, i + 3);
  EXPECT_EQ(world.last_sequence_number(), 6u);
}

TEST_F(WorldOverlap, NothingIsSaidOfAContactThatStands) {
  spawn(spec(1, kPlayer, {0, 0}));
  spawn(spec(2, kBullet, {0, 0}));
  EXPECT_EQ(tick().size(), 1u);
  world.move_to(1, {3, 3});
  EXPECT_TRUE(tick().empty());
  EXPECT_TRUE(tick().empty());
  EXPECT_EQ(world.encounter_count(), 1u);
}

TEST_F(WorldOverlap, OnlyTheEndOfATickIsJudged) {
  spawn(spec(1, kPlayer, {0, 0}));
  spawn(spec(2, kBullet, {500, 0}));
  world.move_to(2, {0, 0});
  world.move_to(2, {500, 0});
  EXPECT_TRUE(tick().empty());
}

TEST_F(WorldOverlap, HoldsAtTheEndsOfTheRange) {
  spawn(spec(1, kPlayer, {kSubunitsMax - 10, kSubunitsMin + 10}));
  spawn(spec(2, kBullet, {kSubunitsMax - 30, kSubunitsMin + 30}));
  spawn(spec(3, kBullet, {kSubunitsMin + 10, kSubunitsMin + 10}));
  const std::vector<Event> events = tick();
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].key, (EncounterKey{1, 2, kPlayer, kBullet}));
}

}  // namespace
}  // namespace sweepd::collision::world_overlap_test
