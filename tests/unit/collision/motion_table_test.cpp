// SPDX-License-Identifier: MIT
//
// Protects the table of what moves by itself: each slot has the motion that was set last, and a tick passes
// over all that have one, each once and in the order of their slots, whatever is cleared on the way.
#include "collision/motion_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

#include "base/dice.h"

namespace sweepd::collision::motion_table_test {
namespace {

std::vector<ObjectSlot> slots_of(MotionTable& table) {
  std::vector<ObjectSlot> slots;
  table.for_each([&](ObjectSlot slot) { slots.push_back(slot); });
  return slots;
}

TEST(MotionTable, HasTheMotionThatWasSetLastWhateverCameBefore) {
  base::Dice dice(3);
  MotionTable table;
  std::map<ObjectSlot, Motion> expected;
  for (int i = 0; i < 20'000; ++i) {
    const auto slot = static_cast<ObjectSlot>(dice.between(0, 300));
    const auto number = [&] { return dice.between(-2, 2) * dice.between(0, 1); };
    const int x = number(), y = number(), ax = number(), ay = number();
    const Motion motion{{x, y}, {ax, ay}};
    table.set(slot, motion);
    expected.erase(slot);
    if (!motion.is_still()) expected[slot] = motion;
    const auto other = static_cast<ObjectSlot>(dice.between(0, 400));
    ASSERT_EQ(table.has(other), expected.contains(other));
    ASSERT_EQ(table.at(other), expected.contains(other) ? expected[other] : Motion{});
  }
  std::vector<ObjectSlot> slots;
  for (const auto& [slot, motion] : expected) slots.push_back(slot);
  EXPECT_EQ(slots_of(table), slots);
}

TEST(MotionTable, WhatIsClearedOnTheWayIsVisitedNoMore) {
  MotionTable table;
  for (ObjectSlot slot = 0; slot < 200; slot += 3) table.set(slot, {{1, 0}, {}});
  std::size_t visits = 0;
  table.for_each([&](ObjectSlot slot) {
    ++visits;
    if (slot % 2 == 0) table.clear(slot);
  });
  EXPECT_EQ(visits, 67u);
  const std::vector<ObjectSlot> left = slots_of(table);
  EXPECT_EQ(left.size(), 33u);
  EXPECT_TRUE(std::ranges::all_of(left, [](ObjectSlot slot) { return slot % 2 == 1; }));
}

}  // namespace
}  // namespace sweepd::collision::motion_table_test
