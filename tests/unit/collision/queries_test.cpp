// SPDX-License-Identifier: MIT
// Protects the questions to a world: what is where, what a ray meets, what is nearest, who meets whom.

#include "collision/queries.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "collision/shapes/shape_check.h"
#include "collision/world.h"

namespace sweepd::collision::queries_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::uint64_t kEveryLayer = ~std::uint64_t{0};

struct QueriesTest : testing::Test {
  QueriesTest() {
    WorldConfig config{.layer_count = 3};
    config.matrix.allow(0, 1);
    // A frame of three by three pixels of 10: nothing in the middle.
    config.masks.emplace_back(3, 3, 10, std::vector<std::uint64_t>{0b111, 0b101, 0b111});
    config.masks.emplace_back(1, 1, 10, std::vector<std::uint64_t>{0});
    masks = config.masks;
    world.emplace(config);
  }
  void spawn(ObjectId id, Point position, std::vector<Part> parts) {
    ASSERT_TRUE(world->spawn({.id = id, .position = position, .parts = std::move(parts)}).ok());
  }
  static Part box(Subunits half_size, LayerId layer = 0) {
    return {.box = {-half_size, -half_size, half_size, half_size}, .layer = layer};
  }
  Queries ask() const { return world->queries(); }

  std::vector<BitMask> masks;
  std::optional<World> world;
};

TEST_F(QueriesTest, ARegionHoldsWhatTouchesItSortedByObjectAndPart) {
  spawn(9, {0, 0}, {box(10), box(20, 1)});
  spawn(2, {30, 0}, {box(10)});
  world->finish_tick();
  EXPECT_THAT(ask().in_region({20, -5, 25, 5}, kEveryLayer), ElementsAre(PartName{2, 0}, PartName{9, 1}));
  EXPECT_THAT(ask().in_region({21, -5, 25, 5}, 1u << 1), IsEmpty());
  EXPECT_THAT(ask().in_region({20, -5, 25, 5}, 1u << 1), ElementsAre(PartName{9, 1}));
}

TEST_F(QueriesTest, SelectableAreObjectsOfTheOwnerAndThoseOnTheLayersByThePartThatIsThere) {
  ASSERT_TRUE(world->spawn({.id = 9, .owner = 1, .position = {0, 0}, .parts = {box(10)}}).ok());
  ASSERT_TRUE(
      world->spawn({.id = 4, .owner = 2, .position = {0, 0}, .parts = {box(10, 1), box(20, 2)}}).ok());
  ASSERT_TRUE(world->spawn({.id = 7, .owner = 2, .position = {0, 0}, .parts = {box(10)}}).ok());
  const Box everywhere{-100, -100, 100, 100};
  for (int looks = 0; looks < 2; ++looks) {  // Before the broadphase knows of them, and after.
    EXPECT_THAT(ask().objects_in(everywhere, kEveryLayer, {.owner = 1}), ElementsAre(9));
    EXPECT_THAT(ask().objects_in(everywhere, kEveryLayer, {.owner = 1, .layers = 1u << 1}),
                ElementsAre(4, 9));
    EXPECT_THAT(ask().objects_in({15, 0, 18, 0}, kEveryLayer, {.owner = 1, .layers = 1u << 1}), IsEmpty());
    EXPECT_THAT(ask().objects_in({15, 0, 18, 0}, kEveryLayer, {.owner = 2}), ElementsAre(4));
    EXPECT_THAT(ask().objects_in(everywhere, 1u << 0, {.owner = 2}), ElementsAre(7));
    EXPECT_THAT(ask().objects_in(everywhere, kEveryLayer, {.owner = 2}), ElementsAre(4, 7)) << "each once";
    world->finish_tick();
  }
}

TEST_F(QueriesTest, ARegionIsComparedWithShapesNotWithTheBoxesAroundThem) {
  spawn(1, {0, 0}, {*make_circle({0, 0}, 10, 0)});
  spawn(2, {100, 100}, {*make_mask({0, 0}, 0, masks[0], 0)});
  world->finish_tick();
  EXPECT_THAT(ask().in_region({8, 8, 50, 50}, kEveryLayer), IsEmpty());
  EXPECT_THAT(ask().in_region({111, 111, 119, 119}, kEveryLayer), IsEmpty()) << "within the frame's hole";
  EXPECT_THAT(ask().in_region({110, 111, 119, 119}, kEveryLayer), ElementsAre(PartName{2, 0}));
}

TEST_F(QueriesTest, AnInvertedRegionTouchesNothing) {
  spawn(1, {0, 0}, {box(10)});
  world->finish_tick();
  EXPECT_THAT(ask().in_region({5, 5, -5, -5}, kEveryLayer), IsEmpty());
}

TEST_F(QueriesTest, ARayMeetsPartsInTheOrderOfItsWay) {
  spawn(1, {100, 0}, {box(10)});
  spawn(2, {50, 0}, {box(10, 1)});
  spawn(3, {75, 40}, {box(10)});
  world->finish_tick();
  const Ray ray{{0, 0}, {200, 0}};
  // 40 and 90 of 200, in 65536 steps, rounded up.
  EXPECT_THAT(ask().all_hits(ray, kEveryLayer), ElementsAre(RayHit{13108, {2, 0}}, RayHit{29492, {1, 0}}));
  EXPECT_EQ(ask().first_hit(ray, kEveryLayer)->part, (PartName{2, 0}));
  EXPECT_EQ(ask().first_hit(ray, 1u << 0)->part, (PartName{1, 0}));
  EXPECT_FALSE(ask().first_hit(ray, 1u << 2));
}

TEST_F(QueriesTest, ARayThatBeginsInAPartMeetsItThere) {
  spawn(1, {0, 0}, {box(10)});
  world->finish_tick();
  EXPECT_EQ(ask().first_hit({{0, 0}, {0, 0}}, kEveryLayer)->steps, 0u);
  EXPECT_EQ(ask().first_hit({{0, 0}, {500, 70}}, kEveryLayer)->steps, 0u);
}

TEST_F(QueriesTest, ASlantingRayMissesABoxWithinItsBounds) {
  spawn(1, {80, 20}, {box(10)});
  world->finish_tick();
  EXPECT_FALSE(ask().first_hit({{0, 0}, {100, 100}}, kEveryLayer));
  EXPECT_TRUE(ask().first_hit({{0, 0}, {70, 30}}, kEveryLayer)) << "ends in its corner";
  EXPECT_FALSE(ask().first_hit({{0, 0}, {69, 30}}, kEveryLayer));
}

TEST_F(QueriesTest, ARayGoesFromOneEndOfTheRangeToTheOther) {
  spawn(1, {0, 0}, {box(10)});
  world->finish_tick();
  const Ray ray{{kSubunitsMin, kSubunitsMin}, {kSubunitsMax, kSubunitsMax}};
  EXPECT_EQ(ask().first_hit(ray, kEveryLayer)->steps, 32768u);
}

TEST_F(QueriesTest, TheNearestIsJudgedByItsShape) {
  spawn(1, {100, 100}, {*make_circle({0, 0}, 50, 0)});
  spawn(2, {130, -60}, {box(10)});
  world->finish_tick();
  // The circle's box is 71 away from the origin, the circle 91.
  EXPECT_EQ(ask().nearest({0, 0}, kEveryLayer), (NearPart{91, {1, 0}}));
  EXPECT_EQ(ask().nearest({100, -50}, kEveryLayer), (NearPart{20, {2, 0}}));
  EXPECT_FALSE(ask().nearest({0, 0}, 1u << 2));
}

TEST_F(QueriesTest, OfEquallyNearPartsTheLowestNameIsTold) {
  spawn(8, {100, 0}, {box(10)});
  spawn(7, {-100, 0}, {box(1), box(10)});
  world->finish_tick();
  EXPECT_EQ(ask().nearest({0, 0}, kEveryLayer), (NearPart{90, {7, 1}}));
}

TEST_F(QueriesTest, TheNearestIsFoundAcrossTheWholeRange) {
  spawn(1, {kSubunitsMax - 10, kSubunitsMax - 10}, {box(10)});
  world->finish_tick();
  const auto found = ask().nearest({kSubunitsMin, kSubunitsMin}, kEveryLayer);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->distance, 6074000970u);  // 4294967275 times the root of two.
}

TEST_F(QueriesTest, AMaskWithoutPixelsIsNowhere) {
  spawn(1, {0, 0}, {*make_mask({0, 0}, 1, masks[1], 0)});
  world->finish_tick();
  EXPECT_FALSE(ask().nearest({0, 0}, kEveryLayer));
  EXPECT_THAT(ask().in_region({-50, -50, 50, 50}, kEveryLayer), IsEmpty());
}

TEST_F(QueriesTest, ChangesOfTheTickInProgressShow) {
  spawn(1, {0, 0}, {box(10)});
  spawn(2, {100, 0}, {box(10)});
  spawn(3, {200, 0}, {box(10)});
  spawn(4, {300, 0}, {box(10)});
  world->finish_tick();
  world->move_to(1, {400, 0});
  world->disable_until(2, kForever);
  world->despawn(3);
  world->reshape(4, std::vector<Part>{box(1), box(2)});
  spawn(5, {500, 0}, {box(10)});
  EXPECT_THAT(ask().in_region({-50, -50, 600, 50}, kEveryLayer),
              ElementsAre(PartName{1, 0}, PartName{4, 0}, PartName{4, 1}, PartName{5, 0}));
  EXPECT_THAT(ask().in_region({-50, -50, 350, 50}, kEveryLayer), ElementsAre(PartName{4, 0}, PartName{4, 1}));
}

TEST_F(QueriesTest, EncountersOfOneObjectAreThoseOpenAfterTheLastTick) {
  spawn(1, {0, 0}, {box(10)});
  spawn(2, {5, 0}, {box(10, 1)});
  spawn(3, {-5, 0}, {box(10, 1)});
  world->finish_tick();
  world->despawn(2);
  EXPECT_EQ(ask().encounters({.object = 1}).size(), 2u);
  ASSERT_EQ(ask().encounters({.object = 3}).size(), 1u);
  EXPECT_EQ(ask().encounters({.object = 3})[0].key.object_a, 1u);
  world->finish_tick();
  EXPECT_EQ(ask().encounters({.object = 1}).size(), 1u);
  EXPECT_THAT(ask().encounters({.object = 99}), IsEmpty());
}

TEST_F(QueriesTest, NothingIsLeftAfterTheEnd) {
  spawn(1, {0, 0}, {box(10)});
  world->finish_tick();
  world->end();
  EXPECT_THAT(ask().in_region(kWholeRange, kEveryLayer), IsEmpty());
  EXPECT_FALSE(ask().nearest({0, 0}, kEveryLayer));
}

}  // namespace
}  // namespace sweepd::collision::queries_test
