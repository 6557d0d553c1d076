// SPDX-License-Identifier: MIT
// Protects the sorting behind the sweeps: every path, from a small repair to a full sort, ends in order.

#include "collision/broadphase/item_sorter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace sweepd::collision {
namespace {

bool by_start(SortItem a, SortItem b) { return a >> 32 < b >> 32; }

std::vector<SortItem> random_items(std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<SortItem> items;
  for (std::size_t i = 0; i < count; ++i) {
    items.push_back(make_sort_item(static_cast<Subunits>(static_cast<std::uint32_t>(random())), SweepTag(i)));
  }
  return items;
}

void expect_same_items_in_order(std::vector<SortItem> items, std::vector<SortItem> expected) {
  EXPECT_TRUE(std::is_sorted(items.begin(), items.end(), by_start));
  std::sort(items.begin(), items.end());
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(items, expected);
}

TEST(SortItem, OrdersNegativeBeforePositive) {
  EXPECT_LT(make_sort_item(kSubunitsMin, 9), make_sort_item(-1, 0));
  EXPECT_LT(make_sort_item(-1, 9), make_sort_item(0, 0));
  EXPECT_LT(make_sort_item(0, 9), make_sort_item(kSubunitsMax, 0));
  EXPECT_EQ(tag_of(make_sort_item(-7, 123)), 123u);
}

TEST(ItemSorter, SortsAnyNumberOfItems) {
  ItemSorter sorter;
  for (const std::size_t count : {0u, 1u, 2u, 255u, 256u, 257u, 5000u}) {
    const std::vector<SortItem> items = random_items(count, count);
    std::vector<SortItem> sorted = items;
    sorter.sort(sorted);
    expect_same_items_in_order(sorted, items);
  }
}

TEST(ItemSorter, SortsEqualStarts) {
  ItemSorter sorter;
  std::vector<SortItem> items;
  for (SweepTag tag = 0; tag < 600; ++tag) items.push_back(make_sort_item(tag % 2 == 0 ? 5 : -5, tag));
  std::vector<SortItem> sorted = items;
  sorter.sort(sorted);
  expect_same_items_in_order(sorted, items);
}

TEST(ItemSorter, RepairsLittleDisorderAndMuch) {
  ItemSorter sorter;
  for (std::uint64_t round = 0; round < 40; ++round) {
    std::vector<SortItem> items = random_items(700, round);
    const bool nearly_sorted = round % 3 != 0;
    if (nearly_sorted) {
      std::sort(items.begin(), items.end());
      for (std::size_t i = 7; i < items.size(); i += 20) std::swap(items[i], items[i - 3]);
    }
    std::vector<SortItem> repaired = items;
    sorter.repair(repaired);
    expect_same_items_in_order(repaired, items);
  }
}

TEST(ItemSorter, MergesSortedItems) {
  for (const std::size_t more_count : {0u, 1u, 50u, 1000u}) {
    std::vector<SortItem> items = random_items(300, 1);
    std::vector<SortItem> more = random_items(more_count, 2);
    std::sort(items.begin(), items.end());
    std::sort(more.begin(), more.end());
    std::vector<SortItem> expected = items;
    expected.insert(expected.end(), more.begin(), more.end());
    ItemSorter::merge(items, more);
    expect_same_items_in_order(items, expected);
  }
}

}  // namespace
}  // namespace sweepd::collision
