// SPDX-License-Identifier: MIT
//
// Protects shapes on their way to the wire: every kind arrives as the game gave it, and what no server would
// take is an error that names the field, at the limit and one past it.
#include "shape_codec.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "object_codec.h"

namespace sweepd::internal::shape_codec_test {
namespace {

constexpr double kMax = std::numeric_limits<std::int32_t>::max() / 256.0;
constexpr double kMin = std::numeric_limits<std::int32_t>::min() / 256.0;
constexpr double kSubunit = 1 / 256.0;

v1::Part encoded(const Part& part, std::uint32_t mask_count = 0) {
  v1::Part out;
  EXPECT_FALSE(encode_shape(part, mask_count, &out).has_value());
  return out;
}

std::string refused_field(const Part& part, std::uint32_t mask_count = 0) {
  v1::Part out;
  const Checked error = encode_shape(part, mask_count, &out);
  return error ? error->field : "";
}

TEST(ShapeCodec, EveryKindArrivesAsItWasGiven) {
  const v1::Part box = encoded(Part::box({-1, -2, 3, 4}, 0));
  EXPECT_EQ(box.box().min_y(), -512);
  EXPECT_EQ(box.box().max_y(), 1024);
  const v1::Part circle = encoded(Part::circle({1, -2}, 2.5, 0));
  EXPECT_EQ(circle.circle().center_x(), 256);
  EXPECT_EQ(circle.circle().center_y(), -512);
  EXPECT_EQ(circle.circle().radius(), 640);
  const v1::Part capsule = encoded(Part::capsule({1, 2}, {3, 4}, 0.5, 0));
  EXPECT_EQ(capsule.capsule().a_x(), 256);
  EXPECT_EQ(capsule.capsule().a_y(), 512);
  EXPECT_EQ(capsule.capsule().b_x(), 768);
  EXPECT_EQ(capsule.capsule().b_y(), 1024);
  EXPECT_EQ(capsule.capsule().radius(), 128);
  const v1::Part mask = encoded(Part::mask(2, {-8, -16}, 0), 3);
  EXPECT_EQ(mask.mask().mask(), 2u);
  EXPECT_EQ(mask.mask().x(), -8 * 256);
  EXPECT_EQ(mask.mask().y(), -16 * 256);
}

TEST(ShapeCodec, AnInvertedBoxIsRefusedAndAPointIsNot) {
  v1::Box out;
  EXPECT_FALSE(encode(Box{1, 1, 1, 1}, &out).has_value());
  const Checked error = encode(Box{0, 3, 0, 2}, &out);
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(error->field, "min_y");
}

TEST(ShapeCodec, ARadiusIsZeroOrMore) {
  EXPECT_EQ(refused_field(Part::circle({0, 0}, 0, 0)), "");
  EXPECT_EQ(refused_field(Part::circle({0, 0}, -kSubunit, 0)), "circle.radius");
  EXPECT_EQ(refused_field(Part::circle({0, 0}, std::nan(""), 0)), "circle.radius");
  EXPECT_EQ(refused_field(Part::capsule({0, 0}, {1, 1}, 0, 0)), "");
  EXPECT_EQ(refused_field(Part::capsule({0, 0}, {1, 1}, -1, 0)), "capsule.radius");
}

TEST(ShapeCodec, CentersAndEndsKeepTheirRadiusInTheRange) {
  EXPECT_EQ(refused_field(Part::circle({kMax - 1, kMin + 1}, 1, 0)), "");
  EXPECT_EQ(refused_field(Part::circle({kMax - 1 + kSubunit, 0}, 1, 0)), "circle.center.x");
  EXPECT_EQ(refused_field(Part::circle({0, kMin + 1 - kSubunit}, 1, 0)), "circle.center.y");
  EXPECT_EQ(refused_field(Part::capsule({kMin + 1, 0}, {kMax - 1, 0}, 1, 0)), "");
  EXPECT_EQ(refused_field(Part::capsule({kMin + 1 - kSubunit, 0}, {0, 0}, 1, 0)), "capsule.a.x");
  EXPECT_EQ(refused_field(Part::capsule({0, 0}, {0, kMax - 1 + kSubunit}, 1, 0)), "capsule.b.y");
}

TEST(ShapeCodec, AMaskIsOneOfTheMatch) {
  EXPECT_EQ(refused_field(Part::mask(1, {0, 0}, 0), 2), "");
  EXPECT_EQ(refused_field(Part::mask(2, {0, 0}, 0), 2), "mask.mask");
  EXPECT_EQ(refused_field(Part::mask(0, {0, 0}, 0), 0), "mask.mask");
  EXPECT_EQ(refused_field(Part::mask(0, {0, std::nan("")}, 0), 1), "mask.corner.y");
}

TEST(ShapeCodec, AnErrorNamesThePartAndTheShape) {
  ObjectSpec spec;
  spec.parts = {Part::circle({0, 0}, 1, 0), Part::circle({0, 0}, -1, 0)};
  v1::Spawn spawn;
  const Checked error = encode(spec, {1}, &spawn);
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->field, "parts[1].circle.radius");
}

TEST(ShapeCodec, AContinuousObjectIsSpawnedAsOne) {
  ObjectSpec spec;
  spec.parts = {Part::circle({0, 0}, 1, 0)};
  v1::Spawn spawn;
  ASSERT_FALSE(encode(spec, {1}, &spawn).has_value());
  EXPECT_FALSE(spawn.continuous());
  spec.continuous = true;
  ASSERT_FALSE(encode(spec, {1}, &spawn).has_value());
  EXPECT_TRUE(spawn.continuous());
}

TEST(BitMask, IsDrawnWithTheLeftmostPixelInTheLowestBit) {
  const BitMask mask = BitMask::from_text({"#........#", ".#"}, 0.5);
  EXPECT_EQ(mask.width(), 10u);
  EXPECT_EQ(mask.height(), 2u);
  EXPECT_EQ(mask.rows(), (std::string{1, 2, 2, 0}));
  EXPECT_TRUE(mask.test(0, 0));
  EXPECT_TRUE(mask.test(9, 0));
  EXPECT_TRUE(mask.test(1, 1));
  EXPECT_FALSE(mask.test(9, 1));
}

TEST(BitMask, PixelsOutsideAreClearAndStayClear) {
  BitMask mask(3, 2);
  mask.set(3, 0);
  mask.set(0, 2);
  EXPECT_EQ(mask.rows(), std::string(2, '\0'));
  EXPECT_FALSE(mask.test(3, 0));
  mask.set(2, 1);
  EXPECT_TRUE(mask.test(2, 1));
  mask.set(2, 1, false);
  EXPECT_EQ(mask.rows(), std::string(2, '\0'));
}

TEST(BitMask, OfASizeThatNoServerTakesCostsNothing) {
  BitMask mask(4'000'000'000u, 4'000'000'000u);
  mask.set(3'999'999'999u, 3'999'999'999u);
  EXPECT_TRUE(mask.rows().empty());
  v1::BitMask out;
  EXPECT_FALSE(encode(mask, &out).has_value());
  EXPECT_EQ(out.width(), 4'000'000'000u) << "the server names the limit";
}

TEST(BitMask, APixelHasASize) {
  v1::BitMask out;
  EXPECT_FALSE(encode(BitMask(1, 1, kSubunit), &out).has_value());
  EXPECT_EQ(out.pixel_size(), 1u);
  const Checked error = encode(BitMask(1, 1, 0), &out);
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->field, "pixel_size");
}

}  // namespace
}  // namespace sweepd::internal::shape_codec_test
