// SPDX-License-Identifier: MIT
// Protects the index by object id: every id is found, whatever neighbours it has or had.

#include "collision/id_index.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace sweepd::collision::id_index_test {
namespace {

TEST(IdIndex, FindsNothingWhenEmpty) { EXPECT_EQ(IdIndex().find(1), IdIndex::kNone); }

TEST(IdIndex, KeepsNeighboursAndTheEndsOfTheRangeApart) {
  IdIndex index;
  const ObjectId ids[] = {1, 15, 16, 17, 0xffffffff, 0xfffffff0, 0x80000000};
  for (std::uint32_t i = 0; i < std::size(ids); ++i) index.insert(ids[i], 100 + i);
  for (std::uint32_t i = 0; i < std::size(ids); ++i) EXPECT_EQ(index.find(ids[i]), 100 + i);
  EXPECT_EQ(index.find(2), IdIndex::kNone);
  index.erase(16);
  EXPECT_EQ(index.find(16), IdIndex::kNone);
  EXPECT_EQ(index.find(17), 103u);
  EXPECT_EQ(index.size(), std::size(ids) - 1);
}

TEST(IdIndex, BehavesLikeAMapUnderChurn) {
  IdIndex index;
  std::map<ObjectId, std::uint32_t> expected;
  std::mt19937_64 random(1);
  for (std::uint32_t step = 0; step < 50000; ++step) {
    const auto id = static_cast<ObjectId>(random() % 40 * (random() % 2 == 0 ? 1 : 977) + 1);
    if (expected.contains(id)) {
      index.erase(id);
      expected.erase(id);
    } else {
      index.insert(id, step);
      expected[id] = step;
    }
    const auto probe = static_cast<ObjectId>(random() % 100);
    const auto found = expected.find(probe);
    ASSERT_EQ(index.find(probe), found == expected.end() ? IdIndex::kNone : found->second);
    ASSERT_EQ(index.size(), expected.size());
  }
}

TEST(IdIndexDeathTest, InsertingAnIdTwiceOrErasingNoneIsABrokenInvariant) {
  IdIndex index;
  index.insert(1, 1);
  EXPECT_DEATH(index.insert(1, 2), "broken invariant");
  EXPECT_DEATH(index.erase(2), "broken invariant");
  EXPECT_DEATH(index.erase(100), "broken invariant");
}

}  // namespace
}  // namespace sweepd::collision::id_index_test
