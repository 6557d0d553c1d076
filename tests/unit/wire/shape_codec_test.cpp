// SPDX-License-Identifier: MIT
//
// Protects what a shape means: every kind becomes the part of the smallest box around it, and what would wrap
// becomes a part that no match takes.
#include "wire/shape_codec.h"

#include <gtest/gtest.h>

#include <limits>

#include "match/part_preparer.h"

namespace sweepd::wire::shape_codec_test {
namespace {

using collision::Box;
using collision::Part;
using collision::ShapeKind;

constexpr std::int32_t kMin = std::numeric_limits<std::int32_t>::min();
constexpr std::int32_t kMax = std::numeric_limits<std::int32_t>::max();

Part decoded(const v1::Part& message) {
  google::protobuf::RepeatedPtrField<v1::Part> messages;
  *messages.Add() = message;
  return decode_parts(messages).at(0);
}

v1::Part circle(std::int32_t x, std::int32_t y, std::int32_t radius) {
  v1::Part part;
  part.mutable_circle()->set_center_x(x);
  part.mutable_circle()->set_center_y(y);
  part.mutable_circle()->set_radius(radius);
  return part;
}

v1::Part capsule(std::int32_t a_x, std::int32_t a_y, std::int32_t b_x, std::int32_t b_y,
                 std::int32_t radius) {
  v1::Part part;
  part.mutable_capsule()->set_a_x(a_x);
  part.mutable_capsule()->set_a_y(a_y);
  part.mutable_capsule()->set_b_x(b_x);
  part.mutable_capsule()->set_b_y(b_y);
  part.mutable_capsule()->set_radius(radius);
  return part;
}

v1::Part mask(std::uint32_t index, std::int32_t x, std::int32_t y) {
  v1::Part part;
  part.mutable_mask()->set_mask(index);
  part.mutable_mask()->set_x(x);
  part.mutable_mask()->set_y(y);
  return part;
}

TEST(ShapeCodec, ABoxIsItself) {
  v1::Part message;
  message.mutable_box()->set_min_x(-1);
  message.mutable_box()->set_min_y(-2);
  message.mutable_box()->set_max_x(3);
  message.mutable_box()->set_max_y(4);
  message.set_layer(5);
  const Part part = decoded(message);
  EXPECT_EQ(part.kind, ShapeKind::kBox);
  EXPECT_EQ(part.box, (Box{-1, -2, 3, 4}));
  EXPECT_EQ(part.layer, 5);
}

TEST(ShapeCodec, APartWithoutAShapeIsAPoint) { EXPECT_EQ(decoded({}), Part{}); }

TEST(ShapeCodec, ACircleHasASquareBox) {
  const Part part = decoded(circle(10, -20, 3));
  EXPECT_EQ(part.kind, ShapeKind::kCircle);
  EXPECT_EQ(part.radius, 3);
  EXPECT_EQ(part.box, (Box{7, -23, 13, -17}));
}

TEST(ShapeCodec, ACapsuleTellsItsDiagonal) {
  const Part falling = decoded(capsule(0, 0, 10, 20, 3));
  EXPECT_EQ(falling.kind, ShapeKind::kCapsule);
  EXPECT_EQ(falling.radius, 3);
  EXPECT_EQ(falling.box, (Box{-3, -3, 13, 23}));
  EXPECT_FALSE(falling.is_rising);
  EXPECT_EQ(decoded(capsule(10, 20, 0, 0, 3)), falling) << "either end first";
  const Part rising = decoded(capsule(0, 20, 10, 0, 3));
  EXPECT_EQ(rising.box, falling.box);
  EXPECT_TRUE(rising.is_rising);
  EXPECT_EQ(decoded(capsule(10, 0, 0, 20, 3)), rising);
}

TEST(ShapeCodec, ALevelCapsuleDoesNotRise) {
  EXPECT_FALSE(decoded(capsule(0, 5, 10, 5, 1)).is_rising);
  EXPECT_FALSE(decoded(capsule(10, 5, 0, 5, 1)).is_rising);
  EXPECT_FALSE(decoded(capsule(5, 10, 5, 0, 1)).is_rising);
  EXPECT_FALSE(decoded(capsule(5, 5, 5, 5, 1)).is_rising);
}

TEST(ShapeCodec, AMaskIsItsCornerUntilTheMatchKnowsItsSize) {
  const Part part = decoded(mask(3, 10, -20));
  EXPECT_EQ(part.kind, ShapeKind::kMask);
  EXPECT_EQ(part.mask, 3);
  EXPECT_EQ(part.box, (Box{10, -20, 10, -20}));
}

TEST(ShapeCodec, AnIndexThatFitsNoIdIsImpossible) {
  EXPECT_EQ(decoded(mask(255, 0, 0)).mask, 255);
  EXPECT_EQ(decoded(mask(255, 0, 0)).box, (Box{0, 0, 0, 0}));
  EXPECT_EQ(decoded(mask(256, 0, 0)).box, match::kImpossibleBox);
  EXPECT_EQ(decoded(mask(std::numeric_limits<std::uint32_t>::max(), 0, 0)).box, match::kImpossibleBox);
}

TEST(ShapeCodec, WhatWouldWrapIsImpossible) {
  EXPECT_EQ(decoded(circle(kMax - 3, kMin + 3, 3)).box, (Box{kMax - 6, kMin, kMax, kMin + 6}));
  EXPECT_EQ(decoded(circle(kMax - 2, 0, 3)).box, match::kImpossibleBox);
  EXPECT_EQ(decoded(circle(0, kMin + 2, 3)).box, match::kImpossibleBox);
  EXPECT_EQ(decoded(circle(0, 0, kMax)).box, (Box{-kMax, -kMax, kMax, kMax}));
  EXPECT_EQ(decoded(capsule(kMin, kMin, kMax, kMax, 0)).box, collision::kWholeRange);
  EXPECT_EQ(decoded(capsule(kMin, kMin, kMax, kMax, 1)).box, match::kImpossibleBox);
  EXPECT_EQ(decoded(circle(kMin, kMax, kMin)).radius, kMin) << "for the match to refuse";
}

}  // namespace
}  // namespace sweepd::wire::shape_codec_test
