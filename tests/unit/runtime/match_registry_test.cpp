// SPDX-License-Identifier: MIT
//
// Protects the way to a match: ids that cannot be guessed, loops evenly filled, a bound that holds, pages
// without gaps.
#include "runtime/match/match_registry.h"

#include <gtest/gtest.h>

#include <set>

namespace sweepd::runtime::match_registry_test {
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

TEST(MatchRegistry, PutsAMatchWhereThereIsRoomAndOneThatComesBackWhereThereAreFew) {
  MatchRegistry registry(2, 100);
  const std::vector<LoadReading> loads{{.busy_ratio = 0.6, .windows = 1}, {.busy_ratio = 0.1, .windows = 1}};
  for (int i = 0; i < 20; ++i) EXPECT_EQ(registry.add(loads)->loop, 1u);
  EXPECT_EQ(registry.add(random_match_id()).loop, 0u);
}

TEST(MatchRegistry, AMatchThatMovesIsFoundAndCountedWhereItHasGone) {
  MatchRegistry registry(2, 100);
  const MatchId first = registry.add()->id;
  const MatchId second = registry.add()->id;
  ASSERT_EQ(registry.find(second), 1u);
  registry.move(first, 1);
  EXPECT_EQ(registry.find(first), 1u);
  EXPECT_EQ(registry.size(), 2u);
  EXPECT_EQ(registry.add()->loop, 0u);
  EXPECT_EQ(registry.add()->loop, 0u) << "two live on the other";
  registry.remove(first);
  registry.remove(second);
  EXPECT_EQ(registry.add()->loop, 1u);
}

TEST(MatchRegistry, CountsWhatALoopHasNotMeasuredYet) {
  MatchRegistry registry(2, 1000);
  std::vector<LoadReading> loads{{.busy_ratio = 0.12, .windows = 1}, {.busy_ratio = 0.01, .windows = 1}};
  const auto add_many = [&] {
    std::vector<int> counts(2);
    for (int i = 0; i < 100; ++i) ++counts[registry.add(loads)->loop];
    return counts;
  };
  EXPECT_GT(add_many()[0], 20) << "the second loop will not be idle for long";
  loads = {{.busy_ratio = 0.12, .windows = 2}, {.busy_ratio = 0.03, .windows = 2}};
  EXPECT_EQ(registry.add(loads)->loop, 1u) << "now it is known what they take: next to nothing";
}

TEST(MatchRegistry, AnOlderReadingMakesItForgetNothing) {
  MatchRegistry registry(2, 1000);
  const std::vector<LoadReading> newer{{.windows = 5}, {.busy_ratio = 0.2, .windows = 5}};
  const std::vector<LoadReading> older{{.windows = 4}, {.busy_ratio = 0.2, .windows = 4}};
  std::vector<int> counts(2);
  for (int i = 0; i < 100; ++i) {
    ++counts[registry.add(newer)->loop];
    ++counts[registry.add(older)->loop];
  }
  EXPECT_GT(counts[1], 20) << "the first loop will not be idle for long";
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
}  // namespace sweepd::runtime::match_registry_test
