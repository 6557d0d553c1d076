// SPDX-License-Identifier: MIT
//
// Protects the server from floods: no more bytes than the limit come through in a second, and none are lost
// to rounding.
#include "runtime/budgets/byte_budget.h"

#include <gtest/gtest.h>

namespace sweepd::runtime::byte_budget_test {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::seconds;

const TimePoint kBegin{std::chrono::hours(1)};

TEST(ByteBudget, ASecondsWorthMayComeAtOnceAndNotOneByteMore) {
  ByteBudget budget;
  EXPECT_FALSE(budget.take(1001, 1000, kBegin));
  EXPECT_TRUE(budget.take(1000, 1000, kBegin));
  EXPECT_FALSE(budget.take(1, 1000, kBegin + microseconds(999)));
  EXPECT_TRUE(budget.take(1, 1000, kBegin + milliseconds(1)));
  EXPECT_FALSE(budget.take(501, 1000, kBegin + milliseconds(501)));
  EXPECT_TRUE(budget.take(500, 1000, kBegin + milliseconds(501)));
}

TEST(ByteBudget, NoMoreThanASecondsWorthIsSaved) {
  ByteBudget budget;
  EXPECT_TRUE(budget.take(1000, 1000, kBegin));
  EXPECT_FALSE(budget.take(1001, 1000, kBegin + seconds(100'000)));
  EXPECT_TRUE(budget.take(1000, 1000, kBegin + seconds(100'000)));
  EXPECT_FALSE(budget.take(1, 1000, kBegin + seconds(100'000)));
}

TEST(ByteBudget, ManySmallTakesAreWorthWhatOneIs) {
  ByteBudget budget;
  std::uint64_t taken = 0;
  for (int i = 0; i < 3'000'000; i += 7) {
    if (budget.take(1, 64, kBegin + microseconds(i))) ++taken;
  }
  EXPECT_EQ(taken, 64u + 3 * 64 - 1)
      << "one second's worth to begin with, then three seconds' but for the last byte";
}

TEST(ByteBudget, TheLargestLimitDoesNotOverflow) {
  ByteBudget budget;
  constexpr std::uint32_t kMax = 1u << 30;
  EXPECT_TRUE(budget.take(kMax, kMax, kBegin));
  EXPECT_TRUE(budget.take(kMax, kMax, kBegin + std::chrono::hours(10'000)));
  EXPECT_FALSE(budget.take(1, kMax, kBegin + std::chrono::hours(10'000)));
}

}  // namespace
}  // namespace sweepd::runtime::byte_budget_test
