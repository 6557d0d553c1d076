// SPDX-License-Identifier: MIT
// Protects what sweep and prune compares: boxes as they were and as they are, in slots that stay put.

#include "collision/broadphase/layer_boxes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sweepd::collision::layer_boxes_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const PackedBox kHere = pack({0, 0, 10, 10});
const PackedBox kThere = pack({5, 7, 15, 17});

struct LayerBoxesTest : testing::Test {
  void move(LayerBoxes::Slot slot, const PackedBox& box) { LayerBoxes::Mover(layer).move(slot, box); }
  void add(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) layer.add(static_cast<PartHandle>(100 + i), 7, kHere);
    layer.settle();
  }
  LayerBoxes layer;
};

TEST_F(LayerBoxesTest, AnAddedBoxWasNothingUntilItSettles) {
  const auto slot = layer.add(42, 7, kHere);
  EXPECT_EQ(layer.before()[slot], kNoBox);
  EXPECT_EQ(layer.now()[slot], kHere);
  EXPECT_EQ(layer.owner(slot).part, 42u);
  EXPECT_EQ(layer.owner(slot).object, 7u);
  layer.settle();
  layer.validate();
  EXPECT_EQ(layer.before()[slot], kHere);
}

TEST_F(LayerBoxesTest, ARemovedBoxKeepsItsSlotUntilItSettles) {
  add(2);
  layer.remove(0);
  EXPECT_EQ(layer.before()[0], kHere);
  EXPECT_EQ(layer.now()[0], kNoBox);
  EXPECT_EQ(layer.add(50, 8, kThere), 2u);  // Not the slot that is to be compared yet.
  layer.settle();
  EXPECT_EQ(layer.add(51, 8, kThere), 0u);
  layer.settle();
  layer.validate();
  EXPECT_EQ(layer.size(), 3u);
}

TEST_F(LayerBoxesTest, ListsTheChangedWhileTheyAreFew) {
  add(40);
  move(3, kThere);
  layer.remove(5);
  EXPECT_TRUE(layer.has_few_changed());
  EXPECT_THAT(layer.changed(), ElementsAre(3u, 5u));
  for (LayerBoxes::Slot slot = 10; slot < 30; ++slot) move(slot, kThere);
  EXPECT_FALSE(layer.has_few_changed());
  EXPECT_EQ(layer.changed_count(), 22u);
  layer.settle();
  layer.validate();
  EXPECT_THAT(layer.changed(), IsEmpty());
}

TEST_F(LayerBoxesTest, FindsThoseThatMovedOtherwiseThanMost) {
  add(9);
  for (LayerBoxes::Slot slot = 0; slot < 9; ++slot) move(slot, kThere);
  move(2, pack({5, 7, 16, 17}));  // Grew as well.
  move(6, pack({9, 9, 19, 19}));
  const Displacement displacement = layer.most_common_displacement();
  EXPECT_EQ(displacement, (Displacement{5, 7}));
  std::vector<LayerBoxes::Slot> others;
  layer.find_moved_otherwise(displacement, others);
  EXPECT_THAT(others, ElementsAre(2u, 6u));
}

TEST_F(LayerBoxesTest, WaysThatAreEqualModulo32BitsAreDifferent) {
  layer.add(1, 1, pack({-2'000'000'000, 0, -2'000'000'000, 0}));
  layer.add(2, 2, pack({1'500'000'000, 0, 1'500'000'000, 0}));
  layer.settle();
  move(0, pack({1'000'000'000, 0, 1'000'000'000, 0}));  // By 3,000,000,000.
  move(1, pack({205'032'704, 0, 205'032'704, 0}));      // By 2^32 less.
  std::vector<LayerBoxes::Slot> others;
  layer.find_moved_otherwise({3'000'000'000, 0}, others);
  EXPECT_THAT(others, ElementsAre(1u));
}

}  // namespace
}  // namespace sweepd::collision::layer_boxes_test
