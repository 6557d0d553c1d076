// SPDX-License-Identifier: MIT
// Protects the arithmetic of boxes: closed edges, and no wrapping at the ends of the range.

#include "collision/geometry.h"

#include <gtest/gtest.h>

namespace sweepd::collision::geometry_test {
namespace {

TEST(Overlap, TouchingEdgesAndCornersOverlap) {
  const Box box{0, 0, 10, 10};
  EXPECT_TRUE(overlap(box, {10, 0, 20, 10}));
  EXPECT_TRUE(overlap(box, {0, -5, 10, 0}));
  EXPECT_TRUE(overlap(box, {10, 10, 20, 20}));
  EXPECT_TRUE(overlap(box, {-1, -1, 0, 0}));
}

TEST(Overlap, OneSubunitApartIsApart) {
  const Box box{0, 0, 10, 10};
  EXPECT_FALSE(overlap(box, {11, 0, 20, 10}));
  EXPECT_FALSE(overlap(box, {-20, 0, -1, 10}));
  EXPECT_FALSE(overlap(box, {0, 11, 10, 20}));
  EXPECT_FALSE(overlap(box, {0, -20, 10, -1}));
}

TEST(Overlap, PointsAndLinesOverlapWhatTheyTouch) {
  const Box point{5, 5, 5, 5};
  EXPECT_TRUE(overlap(point, point));
  EXPECT_TRUE(overlap(point, {5, 0, 5, 10}));
  EXPECT_TRUE(overlap({0, 5, 10, 5}, {5, 0, 5, 10}));
  EXPECT_FALSE(overlap(point, {6, 0, 6, 10}));
}

TEST(Overlap, HoldsAtTheEndsOfTheRange) {
  EXPECT_TRUE(overlap(kWholeRange, {kSubunitsMin, kSubunitsMin, kSubunitsMin, kSubunitsMin}));
  EXPECT_TRUE(overlap(kWholeRange, {kSubunitsMax, kSubunitsMax, kSubunitsMax, kSubunitsMax}));
  EXPECT_FALSE(overlap({kSubunitsMin, 0, kSubunitsMin, 0}, {kSubunitsMax, 0, kSubunitsMax, 0}));
}

TEST(IsInverted, OnlyMinBeyondMaxIs) {
  EXPECT_TRUE(is_inverted({1, 0, 0, 0}));
  EXPECT_TRUE(is_inverted({0, 1, 0, 0}));
  EXPECT_FALSE(is_inverted({0, 0, 0, 0}));
}

TEST(Translate, MovesEveryEdge) { EXPECT_EQ(translate({-1, -2, 3, 4}, {10, 20}), (Box{9, 18, 13, 24})); }

TEST(Translate, ReachesTheEndsOfTheRangeAndNoFurther) {
  const Box box{-5, -5, 5, 5};
  EXPECT_EQ(translate(box, {kSubunitsMax - 5, kSubunitsMin + 5}),
            (Box{kSubunitsMax - 10, kSubunitsMin, kSubunitsMax, kSubunitsMin + 10}));
  EXPECT_FALSE(translate(box, {kSubunitsMax - 4, 0}));
  EXPECT_FALSE(translate(box, {kSubunitsMin + 4, 0}));
  EXPECT_FALSE(translate(box, {0, kSubunitsMax - 4}));
  EXPECT_FALSE(translate(box, {0, kSubunitsMin + 4}));
  EXPECT_FALSE(translate(kWholeRange, {1, 0}));
}

}  // namespace
}  // namespace sweepd::collision::geometry_test
