// SPDX-License-Identifier: MIT
// Protects the world from bad changes: each is refused with its reason and the part at fault, and changes
// nothing.

#include "world_fixture.h"

namespace sweepd::collision::world_change_test {
namespace {

struct WorldChange : WorldTest {
  void expect(const ChangeResult& result, ChangeError error, int part = 0) {
    EXPECT_EQ(result.error, error);
    EXPECT_EQ(result.part, part);
  }
  std::vector<Part> good_parts(std::size_t count) {
    return std::vector<Part>(count, {{-1, -1, 1, 1}, kBullet});
  }
};

TEST_F(WorldChange, AnIdInUseIsRefused) {
  spawn(spec(1, kPlayer, {5, 5}));
  expect(world.spawn(spec(1, kBullet, {0, 0})), ChangeError::kIdInUse);
  EXPECT_EQ(world.find(1)->position, (Point{5, 5}));
  EXPECT_EQ(world.object_count(), 1u);
}

TEST_F(WorldChange, AnIdDespawnedInThisTickIsRefusedAndFreeInTheNext) {
  spawn(spec(1, kPlayer, {0, 0}));
  tick();
  world.despawn(1);
  expect(world.spawn(spec(1, kPlayer, {0, 0})), ChangeError::kIdUsedThisTick);
  EXPECT_FALSE(world.find(1).has_value());
  tick();
  expect(world.spawn(spec(1, kPlayer, {0, 0})), ChangeError::kNone);
}

TEST_F(WorldChange, AnIdSpawnedAndDespawnedInThisTickIsRefused) {
  spawn(spec(1, kPlayer, {0, 0}));
  world.despawn(1);
  expect(world.spawn(spec(1, kPlayer, {0, 0})), ChangeError::kIdUsedThisTick);
}

TEST_F(WorldChange, AnIdTheWorldItselfRemovedIsFreeInTheNextTick) {
  ObjectSpec brief = spec(1, kPlayer, {0, 0});
  brief.time_to_live_ticks = 1;
  spawn(brief);
  tick();
  tick();
  expect(world.spawn(brief), ChangeError::kNone);
}

TEST_F(WorldChange, ChangesToUnknownObjectsAreRefused) {
  expect(world.move_to(9, {}), ChangeError::kUnknownObject);
  expect(world.reshape(9, good_parts(1)), ChangeError::kUnknownObject);
  expect(world.change_layer(9, 0, 0), ChangeError::kUnknownObject);
  expect(world.set_motion(9, {}), ChangeError::kUnknownObject);
  expect(world.disable_until(9, 100), ChangeError::kUnknownObject);
  expect(world.enable(9), ChangeError::kUnknownObject);
  expect(world.despawn(9), ChangeError::kUnknownObject);
}

TEST_F(WorldChange, ADespawnedObjectIsUnknownAtOnce) {
  spawn(spec(1, kPlayer, {0, 0}));
  world.despawn(1);
  expect(world.despawn(1), ChangeError::kUnknownObject);
  expect(world.move_to(1, {}), ChangeError::kUnknownObject);
}

TEST_F(WorldChange, NumbersOfPartsHaveLimits) {
  ObjectSpec object = spec(1, kPlayer, {0, 0});
  object.parts = {};
  expect(world.spawn(object), ChangeError::kNoParts);
  object.parts = good_parts(33);
  expect(world.spawn(object), ChangeError::kTooManyParts);
  object.parts = good_parts(32);
  expect(world.spawn(object), ChangeError::kNone);
  expect(world.reshape(1, {}), ChangeError::kNoParts);
  expect(world.reshape(1, good_parts(33)), ChangeError::kTooManyParts);
  EXPECT_EQ(world.find(1)->parts.size(), 32u);
}

TEST_F(WorldChange, ThePartAtFaultIsNamedAndNothingChanges) {
  spawn(spec(1, kPlayer, {100, 0}));
  const std::vector<Part> before(world.find(1)->parts.begin(), world.find(1)->parts.end());
  std::vector<Part> parts = good_parts(4);
  parts[2].box = {5, 0, 4, 0};
  expect(world.reshape(1, parts), ChangeError::kInvertedBox, 2);
  parts = good_parts(4);
  parts[3].layer = 4;
  expect(world.reshape(1, parts), ChangeError::kUnknownLayer, 3);
  parts = good_parts(4);
  parts[1].box.max_x = kSubunitsMax - 99;
  expect(world.reshape(1, parts), ChangeError::kOutOfRange, 1);
  EXPECT_TRUE(
      std::equal(before.begin(), before.end(), world.find(1)->parts.begin(), world.find(1)->parts.end()));

  ObjectSpec object = spec(2, kPlayer, {0, 0});
  object.parts = parts;
  object.position = {100, 0};
  expect(world.spawn(object), ChangeError::kOutOfRange, 1);
  EXPECT_FALSE(world.find(2).has_value());
}

TEST_F(WorldChange, NoPartMayBeMovedOutOfRange) {
  ObjectSpec object = spec(1, kPlayer, {0, 0});
  object.parts.push_back({{-10, -10, 10, 30}, kPlayer});
  spawn(object);
  expect(world.move_to(1, {0, kSubunitsMax - 29}), ChangeError::kOutOfRange, 1);
  expect(world.move_to(1, {kSubunitsMin + 9, 0}), ChangeError::kOutOfRange, 0);
  EXPECT_EQ(world.find(1)->position, Point{});
  expect(world.move_to(1, {0, kSubunitsMax - 30}), ChangeError::kNone);
}

TEST_F(WorldChange, LayersAndPartsOfALayerChangeMustExist) {
  spawn(spec(1, kPlayer, {0, 0}));
  expect(world.change_layer(1, 1, 0), ChangeError::kUnknownPart, 1);
  expect(world.change_layer(1, ~0u, 0), ChangeError::kUnknownPart, 255);
  expect(world.change_layer(1, 0, 4), ChangeError::kUnknownLayer);
  expect(world.change_layer(1, std::nullopt, 256), ChangeError::kUnknownLayer);
  EXPECT_EQ(world.find(1)->parts[0].layer, kPlayer);
}

TEST_F(WorldChange, AnObjectIsDisabledOnlyUntilALaterTick) {
  spawn(spec(1, kPlayer, {0, 0}));
  tick();
  expect(world.disable_until(1, 0), ChangeError::kTickInThePast);
  expect(world.disable_until(1, 2), ChangeError::kTickInThePast);
  EXPECT_EQ(world.find(1)->disabled_until, 0u);
  expect(world.disable_until(1, 3), ChangeError::kNone);
  EXPECT_EQ(world.find(1)->disabled_until, 3u);
  expect(world.disable_until(1, kForever), ChangeError::kNone);
}

TEST_F(WorldChange, AnObjectMayBeReshapedToAViewOfItsOwnParts) {
  ObjectSpec object = spec(1, kPlayer, {0, 0});
  object.parts = good_parts(3);
  object.parts[2].layer = kPlayer;
  spawn(object);
  expect(world.reshape(1, world.find(1)->parts.subspan(1)), ChangeError::kNone);
  ASSERT_EQ(world.find(1)->parts.size(), 2u);
  EXPECT_EQ(world.find(1)->parts[1].layer, kPlayer);
}

TEST_F(WorldChange, ObjectsAreFoundByOwnerInOrder) {
  for (const ObjectId id : {8u, 2u, 5u}) {
    ObjectSpec object = spec(id, kPlayer, {0, 0});
    object.owner = id == 5 ? 1 : 7;
    spawn(object);
  }
  EXPECT_EQ(world.objects_of(7), (std::vector<ObjectId>{2, 8}));
  EXPECT_EQ(world.objects_of(3), std::vector<ObjectId>{});
  world.despawn(2);
  EXPECT_EQ(world.objects_of(7), std::vector<ObjectId>{8});
}

using WorldChangeDeathTest = WorldChange;

TEST_F(WorldChangeDeathTest, IdZeroIsABrokenInvariant) {
  EXPECT_DEATH(world.spawn(spec(0, kPlayer, {0, 0})), "broken invariant");
}

TEST_F(WorldChangeDeathTest, AChangeAfterTheEndIsABrokenInvariant) {
  world.end();
  EXPECT_DEATH(world.spawn(spec(1, kPlayer, {0, 0})), "broken invariant");
  EXPECT_DEATH(world.finish_tick(), "broken invariant");
}

}  // namespace
}  // namespace sweepd::collision::world_change_test
