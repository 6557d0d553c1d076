// SPDX-License-Identifier: MIT
//
// Protects recorded scenes and loads: a seed means the same on every machine and for good, and every number
// of a range can come.
#include "base/dice.h"

#include <gtest/gtest.h>

#include <limits>
#include <set>

namespace sweepd::base::dice_test {
namespace {

TEST(Dice, RollsThePublishedSequenceOfItsSeed) {
  Dice dice(1234567);
  // The first numbers of SplitMix64 from this seed, as its author gives them.
  EXPECT_EQ(dice.roll(), 6457827717110365317u);
  EXPECT_EQ(dice.roll(), 3203168211198807973u);
  EXPECT_EQ(dice.roll(), 9817491932198370423u);
}

TEST(Dice, GivesBothEndsOfARangeAndNothingBeyond) {
  Dice dice(1);
  std::set<std::int32_t> seen;
  for (int i = 0; i < 1000; ++i) seen.insert(dice.between(-2, 2));
  EXPECT_EQ(seen, (std::set<std::int32_t>{-2, -1, 0, 1, 2}));
  constexpr std::int32_t kMin = std::numeric_limits<std::int32_t>::min();
  constexpr std::int32_t kMax = std::numeric_limits<std::int32_t>::max();
  EXPECT_NE(dice.between(kMin, kMax), dice.between(kMin, kMax));
  EXPECT_EQ(dice.between(kMax, kMax), kMax);
}

}  // namespace
}  // namespace sweepd::base::dice_test
