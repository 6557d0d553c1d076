// SPDX-License-Identifier: MIT
// Protects the square root that speeds and distances are judged by: exact at every size, whatever the
// processor's own root rounds to, so that no machine judges differently.

#include "base/wide.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/dice.h"

namespace sweepd::base::wide_test {
namespace {

constexpr Uint128 kGreatest = ~Uint128{0};
constexpr std::uint64_t kGreatestRoot = ~std::uint64_t{0};

/// By definition: root² <= value < (root + 1)².
testing::AssertionResult is_root(Uint128 value) {
  const std::uint64_t root = square_root(value);
  const Uint128 square = Uint128{root} * root;
  const bool is_too_small = square <= value && value - square > 2 * Uint128{root};
  if (square <= value && !is_too_small) return testing::AssertionSuccess();
  return testing::AssertionFailure() << root << " is too " << (is_too_small ? "small" : "great") << " for "
                                     << static_cast<std::uint64_t>(value >> 64) << " * 2^64 + "
                                     << static_cast<std::uint64_t>(value);
}

void expect_roots_around(Uint128 value) {
  for (std::uint64_t by = 0; by <= 3; ++by) {
    EXPECT_TRUE(is_root(value - std::min<Uint128>(value, by)));
    EXPECT_TRUE(is_root(value + std::min<Uint128>(kGreatest - value, by)));
  }
}

TEST(SquareRoot, IsExactForAllSmallNumbers) {
  for (std::uint32_t value = 0; value <= 1u << 16; ++value) ASSERT_TRUE(is_root(value));
}

TEST(SquareRoot, IsExactAroundEveryPowerOfTwo) {
  for (int bit = 0; bit < 128; ++bit) expect_roots_around(Uint128{1} << bit);
  expect_roots_around(kGreatest);
  EXPECT_EQ(square_root(kGreatest), kGreatestRoot);
}

TEST(SquareRoot, IsExactAroundSquaresOfEveryBitLength) {
  Dice dice(1);
  for (int bits = 1; bits <= 64; ++bits) {
    for (int i = 0; i < 200; ++i) {
      const std::uint64_t root = (dice.roll() | std::uint64_t{1} << 63) >> (64 - bits);
      expect_roots_around(Uint128{root} * root);
      EXPECT_EQ(square_root(Uint128{root} * root), root);
      EXPECT_EQ(square_root(Uint128{root} * root - 1), root - 1);
    }
    expect_roots_around(Uint128{kGreatestRoot >> (64 - bits)} * (kGreatestRoot >> (64 - bits)));
  }
}

TEST(SquareRoot, IsExactForNumbersOfEveryBitLength) {
  Dice dice(2);
  for (int bits = 1; bits <= 128; ++bits) {
    for (int i = 0; i < 200; ++i) {
      const Uint128 value = Uint128{dice.roll()} << 64 | dice.roll() | Uint128{1} << 127;
      EXPECT_TRUE(is_root(value >> (128 - bits)));
    }
  }
}

}  // namespace
}  // namespace sweepd::base::wide_test
