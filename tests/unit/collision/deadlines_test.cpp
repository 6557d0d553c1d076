// SPDX-License-Identifier: MIT
// Protects deadlines: they come due in order, outdated ones never, and outdated ones do not pile up.

#include "collision/deadlines.h"

#include <gtest/gtest.h>

namespace sweepd::collision::deadlines_test {
namespace {

/// Slots are ids here.
ObjectSlot slot_of(ObjectId id) { return id; }

TEST(Deadlines, ComeDueByTickAndThenById) {
  Deadlines deadlines;
  for (const ObjectId id : {9u, 2u, 5u}) deadlines.set(id, 7, slot_of);
  deadlines.set(1, 8, slot_of);
  EXPECT_EQ(deadlines.take(6, slot_of), 0u);
  EXPECT_EQ(deadlines.take(7, slot_of), 2u);
  EXPECT_EQ(deadlines.take(7, slot_of), 5u);
  EXPECT_EQ(deadlines.take(7, slot_of), 9u);
  EXPECT_EQ(deadlines.take(7, slot_of), 0u);
  EXPECT_EQ(deadlines.take(8, slot_of), 1u);
  EXPECT_EQ(deadlines.size(), 0u);
}

TEST(Deadlines, ThatWereClearedOrReplacedNeverCome) {
  Deadlines deadlines;
  deadlines.set(1, 7, slot_of);
  deadlines.clear(1);
  deadlines.set(2, 7, slot_of);
  deadlines.set(2, 9, slot_of);
  EXPECT_EQ(deadlines.find(1), std::nullopt);
  EXPECT_EQ(deadlines.find(2), 9u);
  EXPECT_EQ(deadlines.take(7, slot_of), 0u);
  EXPECT_EQ(deadlines.take(9, slot_of), 2u);
  EXPECT_EQ(deadlines.take(9, slot_of), 0u);
}

TEST(Deadlines, OfAnIdThatIsAnotherObjectsNowNeverCome) {
  Deadlines deadlines;
  ObjectSlot slot = 3;
  const auto moving_slot = [&slot](ObjectId) { return slot; };
  deadlines.set(1, 7, moving_slot);
  deadlines.clear(slot);
  slot = 5;
  deadlines.set(1, 9, moving_slot);
  EXPECT_EQ(deadlines.take(8, moving_slot), 0u);
  slot = kNoSlot;
  EXPECT_EQ(deadlines.take(9, moving_slot), 0u);
}

TEST(Deadlines, AtForeverAreKnownAndNeverCome) {
  Deadlines deadlines;
  deadlines.set(1, kForever, slot_of);
  EXPECT_EQ(deadlines.take(kForever, slot_of), 0u);
  EXPECT_EQ(deadlines.find(1), kForever);
}

TEST(Deadlines, SurviveThatOutdatedOnesAreThrownOut) {
  Deadlines deadlines;
  for (Tick tick = 1'000'000; tick > 990'000; --tick) deadlines.set(1, tick, slot_of);
  EXPECT_EQ(deadlines.take(990'000, slot_of), 0u);
  EXPECT_EQ(deadlines.take(990'001, slot_of), 1u);
  EXPECT_EQ(deadlines.take(1'000'000, slot_of), 0u);
}

TEST(Deadlines, SetToTheSameTickAgainAndAgainComeOnce) {
  Deadlines deadlines;
  for (int i = 0; i < 1'000; ++i) deadlines.set(1, 7, slot_of);
  EXPECT_EQ(deadlines.size(), 1u);
  EXPECT_EQ(deadlines.take(7, slot_of), 1u);
  EXPECT_EQ(deadlines.take(7, slot_of), 0u);
}

}  // namespace
}  // namespace sweepd::collision::deadlines_test
