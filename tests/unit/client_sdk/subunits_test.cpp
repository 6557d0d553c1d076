// SPDX-License-Identifier: MIT
//
// Protects the only place where floating point becomes the server's integers: rounding, limits, and that what
// is no number never gets through.
#include "subunits.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "object_codec.h"

namespace sweepd::internal::subunits_test {
namespace {

constexpr std::int32_t kMin = std::numeric_limits<std::int32_t>::min();
constexpr std::int32_t kMax = std::numeric_limits<std::int32_t>::max();

std::int32_t converted(double units) {
  std::int32_t out = 12345;
  const Checked error = to_subunits(units, "x", &out);
  EXPECT_FALSE(error.has_value()) << units;
  return out;
}

ErrorCode refused(double units) {
  std::int32_t out = 12345;
  const Checked error = to_subunits(units, "x", &out);
  EXPECT_EQ(out, 12345) << "a refused value must not be written";
  return error ? error->code : ErrorCode::kNone;
}

TEST(Subunits, AUnitIs256Subunits) {
  EXPECT_EQ(converted(0), 0);
  EXPECT_EQ(converted(1), 256);
  EXPECT_EQ(converted(-2.5), -640);
  EXPECT_EQ(converted(1.0 / 256), 1);
}

TEST(Subunits, HalvesRoundAwayFromZero) {
  EXPECT_EQ(converted(0.5 / 256), 1);
  EXPECT_EQ(converted(-0.5 / 256), -1);
  EXPECT_EQ(converted(1.5 / 256), 2);
  EXPECT_EQ(converted(2.5 / 256), 3);
  EXPECT_EQ(converted(-2.5 / 256), -3);
  EXPECT_EQ(converted(std::nextafter(0.5, 0.0) / 256), 0);
}

TEST(Subunits, TheWholeRangeIsExact) {
  EXPECT_EQ(converted(8'388'607), 2'147'483'392);
  EXPECT_EQ(converted(kMax / 256.0), kMax);
  EXPECT_EQ(converted(kMin / 256.0), kMin);
  for (std::int64_t value = kMin; value <= kMax; value += 9'999'991) {
    EXPECT_EQ(converted(to_units(static_cast<std::int32_t>(value))), value);
  }
}

TEST(Subunits, BeyondTheRangeIsRefused) {
  EXPECT_EQ(refused((kMax + 0.5) / 256.0), ErrorCode::kOutOfRange);
  EXPECT_EQ(refused((kMin - 0.5) / 256.0), ErrorCode::kOutOfRange);
  EXPECT_EQ(refused(1e300), ErrorCode::kOutOfRange);
  EXPECT_EQ(refused(-std::numeric_limits<double>::max()), ErrorCode::kOutOfRange);
}

TEST(Subunits, WhatRoundsIntoTheRangeIsTaken) {
  EXPECT_EQ(converted((kMax + 0.25) / 256.0), kMax);
  EXPECT_EQ(converted((kMin - 0.25) / 256.0), kMin);
}

TEST(Subunits, NanAndInfinityAreNoNumbers) {
  EXPECT_EQ(refused(std::nan("")), ErrorCode::kNotANumber);
  EXPECT_EQ(refused(std::numeric_limits<double>::infinity()), ErrorCode::kNotANumber);
  EXPECT_EQ(refused(-std::numeric_limits<double>::infinity()), ErrorCode::kNotANumber);
}

TEST(Subunits, AnErrorNamesThePathOfTheFieldAndTheLimit) {
  ObjectSpec spec;
  spec.parts = {{centered_box(1, 1), 0}, {{0, std::nan(""), 1, 1}, 0}};
  v1::Spawn spawn;
  Checked error = encode(spec, {1}, &spawn);
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->status().code(), ErrorCode::kNotANumber);
  EXPECT_EQ(error->status().field(), "parts[1].box.min_y");
  EXPECT_EQ(error->status().message(), "parts[1].box.min_y is not a finite number");

  std::int32_t out = 0;
  error = to_subunits(9e6, "position.x", &out);
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->status().message(), "position.x is 9000000; the range is -8388608 to 8388607.99609375");
}

}  // namespace
}  // namespace sweepd::internal::subunits_test
