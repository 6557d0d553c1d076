// SPDX-License-Identifier: MIT
//
// Protects the arithmetic of speed limits: lengths rounded up without overflow, the highest speed of a
// motion, and a budget that neither several moves nor late ones get around.
#include "match/speed_budget.h"

#include <gtest/gtest.h>

namespace sweepd::match::speed_budget_test {
namespace {

constexpr std::int64_t kWidest =
    (std::int64_t{1} << 32) - 1;  ///< From one end of the coordinates to the other.

TEST(Length, IsRoundedUp) {
  EXPECT_EQ(length_of(0, 0), 0u);
  EXPECT_EQ(length_of(-3, 4), 5u);
  EXPECT_EQ(length_of(1, 1), 2u);
  EXPECT_EQ(length_of(300, 400), 500u);
  EXPECT_EQ(length_of(300, 401), 501u);
  EXPECT_EQ(length_of(kWidest, 0), 4'294'967'295u);
  EXPECT_EQ(length_of(-kWidest, kWidest), 6'074'000'999u);
}

TEST(PeakSpeed, OfAMotionWithoutAccelerationIsItsSpeed) {
  EXPECT_EQ(peak_speed({{3, 4}, {}}, 1), 5u);
  EXPECT_EQ(peak_speed({{3, 4}, {}}, collision::kForever), 5u);
}

TEST(PeakSpeed, IsAtTheBeginningOrTheEndOfLife) {
  EXPECT_EQ(peak_speed({{0, 10}, {0, 5}}, 1), 15u) << "velocity grows before the object moves";
  EXPECT_EQ(peak_speed({{0, 10}, {0, 5}}, 4), 30u);
  EXPECT_EQ(peak_speed({{0, -10}, {0, 1}}, 12), 9u)
      << "it slows down, turns, and is gone before it is as fast again";
  EXPECT_EQ(peak_speed({{0, -10}, {0, 1}}, 30), 20u);
  EXPECT_FALSE(peak_speed({{0, 10}, {0, 1}}, collision::kForever)) << "it grows without end";
}

TEST(PeakSpeed, DoesNotOverflowWhereLifeAndAccelerationAreLongest) {
  const collision::Motion motion{{collision::kSubunitsMin, 0},
                                 {collision::kSubunitsMin, collision::kSubunitsMin}};
  EXPECT_GT(*peak_speed(motion, 4'294'967'295u), std::uint64_t{1} << 40);
  EXPECT_GT(*peak_speed({{0, 0}, {1, 0}}, 4'294'967'295u), std::uint64_t{1} << 31);
}

TEST(SpeedBudget, OneTickIsWorthOneTicksSpeedHoweverManyMoves) {
  const SpeedLimit limit{100, 1};
  SpeedBudget budget(limit, 10, 0);
  EXPECT_FALSE(budget.take(limit, 101));
  EXPECT_TRUE(budget.take(limit, 60));
  EXPECT_FALSE(budget.take(limit, 41));
  EXPECT_TRUE(budget.take(limit, 40));
  EXPECT_FALSE(budget.take(limit, 1));
  budget.settle(limit, 11, 0);
  EXPECT_TRUE(budget.take(limit, 100));
}

TEST(SpeedBudget, WhatIsNotUsedIsSavedUpToTheBound) {
  const SpeedLimit limit{100, 3};
  SpeedBudget budget(limit, 1, 0);
  EXPECT_TRUE(budget.take(limit, 100));
  budget.settle(limit, 3, 0);
  EXPECT_EQ(budget.left(limit), 200u) << "two ticks without a move";
  budget.settle(limit, 3, 0);
  EXPECT_EQ(budget.left(limit), 200u) << "time is not given twice";
  budget.settle(limit, 1'000'000'000'000, 0);
  EXPECT_EQ(budget.left(limit), 300u);
}

TEST(SpeedBudget, TheServersMotionTakesItsShare) {
  const SpeedLimit limit{100, 2};
  SpeedBudget budget(limit, 1, 70);
  EXPECT_EQ(budget.left(limit), 30u);
  budget.settle(limit, 2, 70);
  EXPECT_EQ(budget.left(limit), 60u);
  budget.settle(limit, 50, 70);
  EXPECT_EQ(budget.left(limit), 130u) << "both together by no more than 200";
  budget.settle(limit, 51, 100);
  EXPECT_EQ(budget.left(limit), 100u);
  budget.settle(limit, 1000, 100);
  EXPECT_EQ(budget.left(limit), 100u) << "motion as fast as may be leaves nothing to save";
}

TEST(SpeedBudget, ANewMotionMustFitBesideTheMoves) {
  const SpeedLimit limit{100, 1};
  SpeedBudget budget(limit, 1, 0);
  EXPECT_TRUE(budget.take(limit, 60));
  EXPECT_FALSE(budget.change_motion(limit, 41));
  EXPECT_TRUE(budget.change_motion(limit, 40));
  EXPECT_EQ(budget.left(limit), 0u);
  EXPECT_TRUE(budget.change_motion(limit, 0)) << "and gives back what it does not take";
  EXPECT_EQ(budget.left(limit), 40u);
}

TEST(SpeedBudget, OfWhatIsSavedNoMoreIsTakenInOneTickThanTheLimitSays) {
  const SpeedLimit limit{.speed_max = 100, .budget_ticks = 30, .spent_ticks_max = 2};
  SpeedBudget budget(limit, 1, 0);
  budget.settle(limit, 30, 40);
  EXPECT_EQ(budget.left(limit), 160u) << "the motion takes its share";
  EXPECT_FALSE(budget.take(limit, 161));
  EXPECT_TRUE(budget.take(limit, 60));
  EXPECT_FALSE(budget.takes_of_savings(limit)) << "with its motion it goes as far as in one tick";
  EXPECT_TRUE(budget.take(limit, 1));
  EXPECT_TRUE(budget.takes_of_savings(limit));
  EXPECT_TRUE(budget.take(limit, 99));
  EXPECT_FALSE(budget.take(limit, 1));
  budget.settle(limit, 31, 40);
  EXPECT_TRUE(budget.take(limit, 160)) << "in the next tick as much again";
}

}  // namespace
}  // namespace sweepd::match::speed_budget_test
