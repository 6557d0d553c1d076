// SPDX-License-Identifier: MIT
// Protects what shapes are and when they touch, by examples that a person can check: touching counts, one
// subunit farther does not, for every pair of kinds, at rest and on the way. Random shapes:
// tests/property/shapes.

#include "collision/shapes/shape.h"

#include <gtest/gtest.h>

#include <vector>

#include "collision/shapes/bit_mask.h"
#include "collision/shapes/shape_check.h"

namespace sweepd::collision::shape_test {
namespace {

/// A frame of three by three pixels, each 10 wide, with a hole in the middle.
const std::vector<BitMask>& masks() {
  static const std::vector<BitMask> kMasks{BitMask(3, 3, 10, {0b111, 0b101, 0b111})};
  return kMasks;
}

Shape box(Subunits min_x, Subunits min_y, Subunits max_x, Subunits max_y) {
  return {.box = {min_x, min_y, max_x, max_y}};
}
Shape circle(Point center, Subunits radius) { return place(*make_circle(center, radius, 0), {}, masks()); }
Shape capsule(Point a, Point b, Subunits radius) {
  return place(*make_capsule(a, b, radius, 0), {}, masks());
}
Shape frame(Point corner) { return place(*make_mask({0, 0}, 0, masks()[0], 0), corner, masks()); }

bool touch_both_ways(const Shape& a, const Shape& b) {
  EXPECT_EQ(touch(a, b), touch(b, a));
  return touch(a, b);
}

TEST(Shapes, ACircleTouchesABoxAtItsCornerByPythagoras) {
  EXPECT_TRUE(touch_both_ways(circle({30, 40}, 50), box(-9, -9, 0, 0)));
  EXPECT_FALSE(touch_both_ways(circle({31, 40}, 50), box(-9, -9, 0, 0)));
  EXPECT_TRUE(touch_both_ways(circle({60, -5}, 60), box(-9, -9, 0, 0))) << "beside an edge its radius counts";
}

TEST(Shapes, ACircleOfRadiusZeroIsAPoint) {
  EXPECT_TRUE(touch_both_ways(circle({10, 10}, 0), box(0, 0, 10, 10)));
  EXPECT_FALSE(touch_both_ways(circle({11, 10}, 0), box(0, 0, 10, 10)));
  EXPECT_TRUE(touch_both_ways(circle({7, 7}, 0), circle({7, 7}, 0)));
}

TEST(Shapes, CirclesTouchWhereTheirRadiiMeet) {
  EXPECT_TRUE(touch_both_ways(circle({0, 0}, 20), circle({30, 40}, 30)));
  EXPECT_FALSE(touch_both_ways(circle({0, 0}, 20), circle({30, 40}, 29)));
}

TEST(Shapes, ACapsuleIsRoundAtItsEndsAndStraightBetween) {
  const Shape beam = capsule({0, 0}, {300, 400}, 25);
  EXPECT_TRUE(touch_both_ways(beam, circle({170, 185}, 0))) << "(150, 200) and 25 across the line";
  EXPECT_FALSE(touch_both_ways(beam, circle({171, 185}, 0)));
  EXPECT_TRUE(touch_both_ways(beam, circle({-15, -20}, 0))) << "25 behind its end";
  EXPECT_FALSE(touch_both_ways(beam, circle({-16, -20}, 0)));
  EXPECT_FALSE(touch_both_ways(beam, box(200, 0, 300, 100))) << "within its bounds, but off its line";
}

TEST(Shapes, CrossingCapsulesTouchAndParallelOnesByTheirRadii) {
  EXPECT_TRUE(touch_both_ways(capsule({-50, 0}, {50, 0}, 0), capsule({0, -50}, {0, 50}, 0)));
  EXPECT_TRUE(touch_both_ways(capsule({0, 0}, {300, 400}, 10), capsule({-20, 15}, {280, 415}, 15)));
  EXPECT_FALSE(touch_both_ways(capsule({0, 0}, {300, 400}, 10), capsule({-20, 15}, {280, 415}, 14)));
}

TEST(Shapes, AMaskIsWhereItsPixelsAre) {
  EXPECT_FALSE(touch_both_ways(frame({0, 0}), box(11, 11, 19, 19))) << "within the hole";
  EXPECT_TRUE(touch_both_ways(frame({0, 0}), box(10, 11, 19, 19)));
  EXPECT_TRUE(touch_both_ways(frame({0, 0}), circle({40, 30}, 10)));
  EXPECT_FALSE(touch_both_ways(frame({0, 0}), circle({41, 30}, 10)));
  EXPECT_TRUE(touch_both_ways(frame({0, 0}), capsule({-5, 40}, {40, -5}, 0)));
  EXPECT_FALSE(touch_both_ways(frame({0, 0}), capsule({12, 18}, {18, 12}, 1))) << "slanting through the hole";
}

TEST(Shapes, MasksTouchPixelByPixel) {
  EXPECT_TRUE(touch_both_ways(frame({0, 0}), frame({30, 30}))) << "corner at corner";
  EXPECT_FALSE(touch_both_ways(frame({0, 0}), frame({31, 30})));
  const std::vector<BitMask> dot{BitMask(1, 1, 10, {1})};
  const Shape pixel = place(*make_mask({0, 0}, 0, dot[0], 0), {10, 10}, dot);
  EXPECT_TRUE(touch_both_ways(frame({0, 0}), pixel)) << "fills the hole: edges touch";
  const std::vector<BitMask> small{BitMask(1, 1, 8, {1})};
  EXPECT_FALSE(touch_both_ways(frame({0, 0}), place(*make_mask({0, 0}, 0, small[0], 0), {11, 11}, small)));
}

TEST(Shapes, OnTheirWayTheyTouchAtTheFirstStepThatIsNotBeforeIt) {
  const Shape shot = circle({0, 0}, 5);
  const Shape wall = box(105, -50, 110, 50);
  EXPECT_EQ(first_touch(shot, {1000, 0}, wall, {}, 100), 10u);
  EXPECT_EQ(first_touch(shot, {1000, 0}, wall, {}, 256), 26u) << "25.6, rounded up";
  EXPECT_EQ(first_touch(shot, {99, 0}, wall, {}, 256), std::nullopt);
  EXPECT_EQ(first_touch(shot, {100, 0}, wall, {}, 256), 256u);
  EXPECT_EQ(first_touch(shot, {}, box(5, 0, 9, 9), {}, 256), 0u);
}

TEST(Shapes, BothWaysCount) {
  const Shape a = circle({0, 0}, 5);
  const Shape b = circle({1000, 10}, 5);
  EXPECT_EQ(first_touch(a, {1000, 0}, b, {-1000, 0}, 256), 128u) << "side by side, touching just so";
  EXPECT_EQ(first_touch(a, {1000, 0}, circle({1000, 11}, 5), {-1000, 0}, 256), std::nullopt);
  EXPECT_EQ(first_touch(a, {1000, 300}, b, {1000, 300}, 256), std::nullopt) << "the same way: no nearer";
}

TEST(Shapes, AShotFliesThroughTheHoleOfAMask) {
  EXPECT_EQ(first_touch(circle({15, -500}, 4), {0, 0}, frame({0, 0}), {}, 256), std::nullopt);
  const Shape pole = capsule({15, 12}, {15, 18}, 1);
  EXPECT_EQ(first_touch(pole, {1, 0}, frame({0, 0}), {}, 256), std::nullopt) << "stays within";
  EXPECT_EQ(first_touch(pole, {4, 0}, frame({0, 0}), {}, 256), 256u);
}

TEST(Shapes, AreExactAtTheEndsOfTheRange) {
  const Shape left = box(kSubunitsMin, kSubunitsMin, kSubunitsMin, kSubunitsMin);
  const Way across{std::int64_t{kSubunitsMax} - kSubunitsMin, std::int64_t{kSubunitsMax} - kSubunitsMin};
  EXPECT_EQ(first_touch(left, across, circle({0, 0}, 0), {}, 65536), 32769u) << "just past the middle";
  EXPECT_EQ(first_touch(left, across, circle({1, 0}, 0), {}, 65536), std::nullopt);
}

TEST(Shapes, DistanceIsFromTheShapeRoundedDown) {
  EXPECT_EQ(distance(box(0, 0, 10, 10), {13, 14}), 5u);
  EXPECT_EQ(distance(box(0, 0, 10, 10), {5, 5}), 0u);
  EXPECT_EQ(distance(circle({0, 0}, 3), {10, 10}), 11u) << "14.1 less 3";
  EXPECT_EQ(distance(capsule({0, 0}, {300, 400}, 10), {190, 170}), 40u);
  EXPECT_EQ(distance(frame({0, 0}), {15, 15}), 5u);
}

TEST(ShapeCheck, NamesWhatIsWrong) {
  Part part = *make_circle({5, 5}, 5, 0);
  EXPECT_EQ(check_shape(part, masks()), ShapeError::kNone);
  part.box.max_x = 11;
  EXPECT_EQ(check_shape(part, masks()), ShapeError::kNotACircle);
  part.radius = -1;
  EXPECT_EQ(check_shape(part, masks()), ShapeError::kNegativeRadius);
  part.box = {1, 0, 0, 0};
  EXPECT_EQ(check_shape(part, masks()), ShapeError::kInvertedBox);
  Part mask = *make_mask({0, 0}, 0, masks()[0], 0);
  mask.box.max_x = 31;
  EXPECT_EQ(check_shape(mask, masks()), ShapeError::kMaskSizeMismatch);
  mask.mask = 1;
  EXPECT_EQ(check_shape(mask, masks()), ShapeError::kUnknownMask);
}

TEST(ShapeCheck, RefusesWhatDoesNotFit32Bits) {
  EXPECT_FALSE(make_circle({kSubunitsMax, 0}, 1, 0));
  EXPECT_FALSE(make_capsule({0, kSubunitsMin}, {0, 0}, 1, 0));
  EXPECT_FALSE(make_mask({kSubunitsMax - 29, 0}, 0, masks()[0], 0));
  EXPECT_TRUE(make_mask({kSubunitsMax - 30, 0}, 0, masks()[0], 0));
}

}  // namespace
}  // namespace sweepd::collision::shape_test
