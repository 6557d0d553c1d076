// SPDX-License-Identifier: MIT
// Protects the collision matrix: symmetric, and up to the last of 64 layers.

#include "collision/layers.h"

#include <gtest/gtest.h>

namespace sweepd::collision::layers_test {
namespace {

TEST(CollisionMatrix, ForbidsEverythingAtFirst) {
  const CollisionMatrix matrix;
  for (std::uint32_t a = 0; a < kLayersMax; ++a) EXPECT_EQ(matrix.partners(saturate_layer(a)), 0u);
}

TEST(CollisionMatrix, IsSymmetric) {
  CollisionMatrix matrix;
  matrix.allow(3, 63);
  EXPECT_TRUE(matrix.allows(3, 63));
  EXPECT_TRUE(matrix.allows(63, 3));
  EXPECT_FALSE(matrix.allows(3, 3));
  EXPECT_FALSE(matrix.allows(63, 63));
  EXPECT_EQ(matrix.partners(3), std::uint64_t{1} << 63);
}

TEST(CollisionMatrix, ALayerMayCollideWithItself) {
  CollisionMatrix matrix;
  matrix.allow(0, 0);
  EXPECT_TRUE(matrix.allows(0, 0));
  EXPECT_FALSE(matrix.allows(0, 1));
}

TEST(CollisionMatrixDeathTest, ALayerBeyondTheLastIsABrokenInvariant) {
  CollisionMatrix matrix;
  EXPECT_DEATH(matrix.allow(64, 0), "broken invariant");
}

TEST(SaturateLayer, NeverWrapsIntoALayerThatExists) {
  EXPECT_EQ(saturate_layer(63), 63);
  EXPECT_GE(saturate_layer(64), kLayersMax);
  EXPECT_GE(saturate_layer(256), kLayersMax);
  EXPECT_GE(saturate_layer(~0u), kLayersMax);
}

}  // namespace
}  // namespace sweepd::collision::layers_test
