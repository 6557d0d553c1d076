// SPDX-License-Identifier: MIT
// Protects the index by id: whatever collides, is erased or moved, every other key is still found.

#include "collision/flat_index.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace sweepd::collision {
namespace {

/// So bad that probe sequences overlap and wrap around.
struct CrowdedHash {
  std::uint64_t operator()(std::uint32_t key) const { return key % 4 + 13; }
};
using Index = FlatIndex<std::uint32_t, CrowdedHash>;

TEST(FlatIndex, FindsNothingWhenEmpty) {
  const Index index;
  EXPECT_EQ(index.find(1), Index::kNone);
  EXPECT_EQ(index.size(), 0u);
}

TEST(FlatIndex, BehavesLikeAMapUnderChurnAndCollisions) {
  Index index;
  std::map<std::uint32_t, std::uint32_t> expected;
  std::mt19937_64 random(1);
  for (std::uint32_t step = 0; step < 20000; ++step) {
    const auto key = static_cast<std::uint32_t>(random() % 60);
    if (!expected.contains(key)) {
      index.insert(key, step);
      expected[key] = step;
    } else if (random() % 4 == 0) {
      index.reposition(key, step);
      expected[key] = step;
    } else {
      index.erase(key);
      expected.erase(key);
    }
    ASSERT_EQ(index.size(), expected.size());
    for (std::uint32_t probe = 0; probe < 60; ++probe) {
      const auto found = expected.find(probe);
      ASSERT_EQ(index.find(probe), found == expected.end() ? Index::kNone : found->second);
    }
  }
}

TEST(FlatIndexDeathTest, InsertingAKeyTwiceOrErasingNoneIsABrokenInvariant) {
  Index index;
  index.insert(1, 1);
  EXPECT_DEATH(index.insert(1, 2), "broken invariant");
  EXPECT_DEATH(index.erase(2), "broken invariant");
}

}  // namespace
}  // namespace sweepd::collision
