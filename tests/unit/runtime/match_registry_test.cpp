// SPDX-License-Identifier: MIT
//
// Protects the way to a match: ids that nobody guesses, loops evenly filled, a bound that holds, pages
// without gaps.
#include "runtime/match_registry.h"

#include <gtest/gtest.h>

#include <set>

namespace sweepd::runtime {
namespace {

TEST(MatchId, HasEightyRandomBits) {
  std::set<MatchId> ids;
  for (int i = 0; i < 1000; ++i) {
    const MatchId id = random_match_id();
    EXPECT_EQ(id.size(), 16u);
    EXPECT_EQ(id.find_first_not_of("abcdefghijklmnopqrstuvwxyz234567"), MatchId::npos);
    ids.insert(id);
  }
  EXPECT_EQ(ids.size(), 1000u);
}

TEST(MatchId, IsToldFromEverythingElse) {
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(is_match_id(random_match_id()));
  for (const std::string_view text :
       {"", "aaaaaaaaaaaaaaa", "aaaaaaaaaaaaaaaaa", "aaaaaaaaaaaaaaaA", "aaaaaaaaaaaaaaa1",
        "aaaaaaaaaaaaaaa8", "../aaaaaaaaaaaaa", "aaaaaaaa aaaaaaa"})
    EXPECT_FALSE(is_match_id(text)) << text;
  EXPECT_FALSE(is_match_id(std::string_view("aaaaaaaaaaaaaaa\0", 16)));
}

TEST(MatchRegistry, FillsTheLoopThatHasTheFewest) {
  MatchRegistry registry(3, 100);
  std::vector<int> counts(3);
  MatchPlace last;
  for (int i = 0; i < 9; ++i) {
    last = *registry.add();
    ++counts[last.loop];
  }
  EXPECT_EQ(counts, (std::vector<int>{3, 3, 3}));
  registry.remove(last.id);
  EXPECT_EQ(registry.add()->loop, last.loop);
}

TEST(MatchRegistry, RefusesTheMatchPastItsBoundUntilOneHasGone) {
  MatchRegistry registry(2, 2);
  const MatchPlace first = *registry.add();
  ASSERT_TRUE(registry.add());
  EXPECT_FALSE(registry.add());
  EXPECT_EQ(registry.size(), 2u);
  registry.remove(first.id);
  EXPECT_EQ(registry.size(), 1u);
  EXPECT_TRUE(registry.add());
}

TEST(MatchRegistry, FindsWhatIsThereOnly) {
  MatchRegistry registry(2, 10);
  const MatchPlace place = *registry.add();
  EXPECT_EQ(registry.find(place.id), place.loop);
  registry.remove(place.id);
  EXPECT_FALSE(registry.find(place.id));
  EXPECT_FALSE(registry.find(""));
}

TEST(MatchRegistry, ListsPagesById) {
  MatchRegistry registry(2, 100);
  std::set<MatchId> ids;
  for (int i = 0; i < 25; ++i) ids.insert(registry.add()->id);
  std::set<MatchId> listed;
  MatchId after;
  for (;;) {
    const auto page = registry.list(after, 10);
    if (page.empty()) break;
    EXPECT_LE(page.size(), 10u);
    for (const MatchPlace& place : page) {
      EXPECT_GT(place.id, after);
      after = place.id;
      listed.insert(place.id);
    }
  }
  EXPECT_EQ(listed, ids);
}

}  // namespace
}  // namespace sweepd::runtime
