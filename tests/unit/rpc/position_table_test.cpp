// SPDX-License-Identifier: MIT
//
// Protects the memory of a stream's positions: a flat table with hand-made probing must do as a map does.
#include "rpc/position_table.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace sweepd::rpc {
namespace {

using collision::ObjectId;
using collision::Point;

TEST(PositionTable, DoesAsAMapDoes) {
  for (const ObjectId id_range : {20u, 500u, 4'294'967'295u}) {
    PositionTable table;
    std::map<ObjectId, SentPosition> model;
    std::mt19937 random(id_range);
    std::vector<ObjectId> used{0};
    for (int i = 0; i < 50'000; ++i) {
      const bool is_known_id = random() % 2 == 0;
      const ObjectId id =
          is_known_id ? used[random() % used.size()] : static_cast<ObjectId>(random() % id_range);
      const SentPosition position{{static_cast<std::int32_t>(random()), static_cast<std::int32_t>(random())},
                                  {static_cast<std::int32_t>(random()), 7}};
      if (random() % 3 == 0) {
        table.erase(id);
        model.erase(id);
      } else {
        ASSERT_TRUE(table.set(id, position));
        model[id] = position;
        used.push_back(id);
      }
      const ObjectId asked = used[random() % used.size()];
      const auto expected = model.find(asked);
      const SentPosition* const found = table.find(asked);
      ASSERT_EQ(found != nullptr, expected != model.end());
      if (found != nullptr) {
        ASSERT_EQ(*found, expected->second);
      }
      ASSERT_EQ(table.size(), model.size());
    }
    for (const auto& [id, position] : model) ASSERT_EQ(*table.find(id), position);
  }
}

constexpr SentPosition kAnywhere{{1, 1}, {}};

TEST(PositionTable, RefusesOneMoreThanItsBoundAndStillReplaces) {
  PositionTable table(100);
  for (ObjectId id = 0; id < 100; ++id) EXPECT_TRUE(table.set(id, kAnywhere));
  EXPECT_FALSE(table.set(100, kAnywhere));
  EXPECT_FALSE(table.find(100));
  EXPECT_TRUE(table.set(50, {{2, 2}, {}}));
  EXPECT_EQ(table.find(50)->position, (Point{2, 2}));
  table.erase(0);
  EXPECT_TRUE(table.set(100, kAnywhere));
}

}  // namespace
}  // namespace sweepd::rpc
