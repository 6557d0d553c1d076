// SPDX-License-Identifier: MIT
// Protects the index by id: whatever collides, is erased or moved, every other key is still found.

#include "collision/flat_index.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <vector>

namespace sweepd::collision::flat_index_test {
namespace {

/// So bad that probe sequences overlap and wrap around, and that tags tell little apart.
struct CrowdedHash {
  std::uint64_t operator()(std::uint32_t key) const { return (key % 4 + 13) | std::uint64_t{key % 2} << 58; }
};

/// An index over the keys of an array, as tables keep them.
struct FlatIndexTest : testing::Test {
  using Index = FlatIndex<std::uint32_t, CrowdedHash>;

  auto key_at() const {
    return [this](std::uint32_t position) { return keys[position]; };
  }
  std::uint32_t add(std::uint32_t key) {
    keys.push_back(key);
    index.insert(key, static_cast<std::uint32_t>(keys.size() - 1));
    return static_cast<std::uint32_t>(keys.size() - 1);
  }

  std::vector<std::uint32_t> keys;
  Index index;
};

TEST_F(FlatIndexTest, FindsNothingWhenEmpty) {
  EXPECT_EQ(index.find(1, key_at()), Index::kNone);
  EXPECT_EQ(index.size(), 0u);
}

TEST_F(FlatIndexTest, BehavesLikeAMapUnderChurnAndCollisions) {
  std::map<std::uint32_t, std::uint32_t> expected;
  std::mt19937_64 random(1);
  for (std::uint32_t step = 0; step < 20000; ++step) {
    const auto key = static_cast<std::uint32_t>(random() % 60);
    if (!expected.contains(key)) {
      expected[key] = add(key);
    } else if (random() % 4 == 0) {
      keys.push_back(key);
      expected[key] = static_cast<std::uint32_t>(keys.size() - 1);
      index.reposition(key, expected[key], key_at());
    } else {
      index.erase(key, key_at());
      expected.erase(key);
    }
    ASSERT_EQ(index.size(), expected.size());
    for (std::uint32_t probe = 0; probe < 60; ++probe) {
      const auto found = expected.find(probe);
      ASSERT_EQ(index.find(probe, key_at()), found == expected.end() ? Index::kNone : found->second);
    }
  }
}

using FlatIndexDeathTest = FlatIndexTest;

TEST_F(FlatIndexDeathTest, ErasingWhatIsNotThereIsABrokenInvariant) {
  add(1);
  EXPECT_DEATH(index.erase(2, key_at()), "broken invariant");
}

}  // namespace
}  // namespace sweepd::collision::flat_index_test
