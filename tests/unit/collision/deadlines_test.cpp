// SPDX-License-Identifier: MIT
// Protects deadlines: they come due in order, outdated ones never, and outdated ones do not pile up.

#include "collision/deadlines.h"

#include <gtest/gtest.h>

namespace sweepd::collision {
namespace {

TEST(Deadlines, ComeDueByTickAndThenById) {
  Deadlines deadlines;
  for (const ObjectId id : {9u, 2u, 5u}) deadlines.set(id, 7);
  deadlines.set(1, 8);
  EXPECT_EQ(deadlines.take(6), 0u);
  EXPECT_EQ(deadlines.take(7), 2u);
  EXPECT_EQ(deadlines.take(7), 5u);
  EXPECT_EQ(deadlines.take(7), 9u);
  EXPECT_EQ(deadlines.take(7), 0u);
  EXPECT_EQ(deadlines.take(8), 1u);
  EXPECT_EQ(deadlines.size(), 0u);
}

TEST(Deadlines, ThatWereClearedOrReplacedNeverCome) {
  Deadlines deadlines;
  deadlines.set(1, 7);
  deadlines.clear(1);
  deadlines.set(2, 7);
  deadlines.set(2, 9);
  EXPECT_EQ(deadlines.find(1), std::nullopt);
  EXPECT_EQ(deadlines.find(2), 9u);
  EXPECT_EQ(deadlines.take(7), 0u);
  EXPECT_EQ(deadlines.take(9), 2u);
  EXPECT_EQ(deadlines.take(9), 0u);
}

TEST(Deadlines, AtForeverAreKnownAndNeverCome) {
  Deadlines deadlines;
  deadlines.set(1, kForever);
  EXPECT_EQ(deadlines.take(kForever), 0u);
  EXPECT_EQ(deadlines.find(1), kForever);
}

TEST(Deadlines, SurviveThatOutdatedOnesAreThrownOut) {
  Deadlines deadlines;
  for (Tick tick = 1'000'000; tick > 990'000; --tick) deadlines.set(1, tick);
  EXPECT_EQ(deadlines.take(990'000), 0u);
  EXPECT_EQ(deadlines.take(990'001), 1u);
  EXPECT_EQ(deadlines.take(1'000'000), 0u);
}

}  // namespace
}  // namespace sweepd::collision
