// SPDX-License-Identifier: MIT
// Protects how pairs of parts make up an encounter: it lasts from its first pair to its last.

#include "collision/encounter_table.h"

#include <gtest/gtest.h>

namespace sweepd::collision::encounter_table_test {
namespace {

constexpr EncounterKey kKey{1, 2, 0, 0};

struct EncounterTableTest : testing::Test {
  /// And foresees it before.
  void apply(std::vector<EncounterChange> changes) {
    ended.clear();
    began.clear();
    std::vector<Encounter> ends;
    std::vector<Encounter> beginnings;
    table.foresee(changes, ++tick, ends, beginnings);
    table.apply(changes, tick, ended, began);
    EXPECT_EQ(ends, ended);
    EXPECT_EQ(beginnings, began);
    table.validate();
  }

  EncounterTable table;
  std::vector<Encounter> ended;
  std::vector<Encounter> began;
  Tick tick = 0;
};

TEST_F(EncounterTableTest, BeginsWithItsLowestPair) {
  apply({{kKey, {0, 3}, true}, {kKey, {1, 0}, true}});
  ASSERT_EQ(began.size(), 1u);
  EXPECT_EQ(began[0], (Encounter{kKey, {0, 3}, 1}));
  EXPECT_TRUE(ended.empty());
}

TEST_F(EncounterTableTest, LastsUntilItsLastPairEndsAndThenShowsThat) {
  apply({{kKey, {0, 3}, true}, {kKey, {1, 0}, true}});
  apply({{kKey, {0, 3}, false}});
  EXPECT_TRUE(ended.empty());
  EXPECT_EQ(table.sorted(), (std::vector<Encounter>{{kKey, {1, 0}, 1}}));
  apply({{kKey, {1, 0}, false}});
  EXPECT_EQ(ended, (std::vector<Encounter>{{kKey, {1, 0}, 1}}));
  EXPECT_EQ(table.size(), 0u);
}

TEST_F(EncounterTableTest, GoesOnWhenOnePairTakesOverFromAnother) {
  apply({{kKey, {4, 4}, true}});
  apply({{kKey, {2, 2}, true}, {kKey, {4, 4}, false}});
  EXPECT_TRUE(ended.empty() && began.empty());
  EXPECT_EQ(table.sorted(), (std::vector<Encounter>{{kKey, {2, 2}, 1}}));
}

TEST_F(EncounterTableTest, APairThatEndedAndBeganStays) {
  apply({{kKey, {1, 1}, true}});
  apply({{kKey, {1, 1}, false}, {kKey, {1, 1}, true}});
  EXPECT_TRUE(ended.empty() && began.empty());
  EXPECT_EQ(table.sorted(), (std::vector<Encounter>{{kKey, {1, 1}, 1}}));
}

TEST_F(EncounterTableTest, KeepsEncountersOnOtherLayersApart) {
  const EncounterKey graze{1, 2, 1, 0};
  apply({{kKey, {0, 0}, true}, {graze, {1, 0}, true}});
  EXPECT_EQ(began.size(), 2u);
  apply({{kKey, {0, 0}, false}});
  EXPECT_EQ(table.sorted(), (std::vector<Encounter>{{graze, {1, 0}, 1}}));
}

TEST_F(EncounterTableTest, IsSortedByKeyWhateverTheHistory) {
  for (ObjectId a : {7u, 3u, 9u, 1u}) apply({{{a, 20, 0, 0}, {0, 0}, true}});
  apply({{{3, 20, 0, 0}, {0, 0}, false}});
  const std::vector<Encounter> sorted = table.sorted();
  ASSERT_EQ(sorted.size(), 3u);
  EXPECT_EQ(sorted[0].key.object_a, 1u);
  EXPECT_EQ(sorted[1].key.object_a, 7u);
  EXPECT_EQ(sorted[2].key.object_a, 9u);
}

TEST(EncounterTableDeathTest, AnEndWithoutABeginningIsABrokenInvariant) {
  EncounterTable table;
  std::vector<Encounter> ended, began;
  const std::vector<EncounterChange> changes{{kKey, {0, 0}, false}};
  EXPECT_DEATH(table.apply(changes, 1, ended, began), "broken invariant");
}

}  // namespace
}  // namespace sweepd::collision::encounter_table_test
