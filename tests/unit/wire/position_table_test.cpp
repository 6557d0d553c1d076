// SPDX-License-Identifier: MIT
//
// Protects the memory of a stream's positions: a table that guesses where the next one is must do as a map
// does, and forget, in the very frame that the contract says, what has not been placed any more.
#include "wire/position_table.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace sweepd::wire::position_table_test {
namespace {

using collision::ObjectId;
using collision::Point;

constexpr std::uint32_t kFramesMax = PositionTable::kFramesMax;

bool set(PositionTable& table, ObjectId id, const SentPosition& position) {
  SentPosition* const place = table.find_or_add(id).position;
  if (place != nullptr) *place = position;
  return place != nullptr;
}

/// What the contract says, with a map.
class Model {
 public:
  void begin_frame() { ++frame_; }
  void set(ObjectId id, const SentPosition& position) { positions_[id] = {position, frame_}; }
  void erase(ObjectId id) { positions_.erase(id); }
  const SentPosition* find(ObjectId id) const {
    const auto entry = positions_.find(id);
    const bool is_there = entry != positions_.end() && frame_ - entry->second.frame <= kFramesMax;
    return is_there ? &entry->second.position : nullptr;
  }

 private:
  struct Entry {
    SentPosition position;
    std::uint64_t frame = 0;
  };
  std::map<ObjectId, Entry> positions_;
  std::uint64_t frame_ = 0;
};

TEST(PositionTable, DoesAsAMapDoes) {
  for (const ObjectId id_range : {20u, 500u, 4'294'967'295u}) {
    PositionTable table;
    Model model;
    std::mt19937 random(id_range);
    std::vector<ObjectId> used{0};
    for (int i = 0; i < 50'000; ++i) {
      if (random() % 16 == 0) {
        table.begin_frame();
        model.begin_frame();
      }
      const bool is_known_id = random() % 2 == 0;
      const ObjectId id =
          is_known_id ? used[random() % used.size()] : static_cast<ObjectId>(random() % id_range);
      const SentPosition position{{static_cast<std::int32_t>(random()), static_cast<std::int32_t>(random())},
                                  {static_cast<std::int32_t>(random()), 7}};
      if (random() % 3 == 0) {
        table.erase(id);
        model.erase(id);
      } else {
        ASSERT_TRUE(set(table, id, position));
        model.set(id, position);
        used.push_back(id);
      }
      const ObjectId asked = used[random() % used.size()];
      const SentPosition* const expected = model.find(asked);
      const SentPosition* const found = table.find(asked);
      ASSERT_EQ(found != nullptr, expected != nullptr);
      if (found != nullptr) {
        ASSERT_EQ(*found, *expected);
      }
    }
  }
}

constexpr SentPosition kAnywhere{{1, 1}, {}};

TEST(PositionTable, APositionHoldsForSixtyFourFramesAndNotForOneMore) {
  PositionTable table;
  ASSERT_TRUE(set(table, 7, kAnywhere));
  for (std::uint32_t frame = 0; frame < kFramesMax; ++frame) {
    table.begin_frame();
    ASSERT_NE(table.find(7), nullptr) << frame;
  }
  table.begin_frame();
  EXPECT_EQ(table.find(7), nullptr);
  const PositionTable::Place place = table.find_or_add(7);
  EXPECT_EQ(place.set_in, PositionTable::kNoFrame) << "it is new";
  EXPECT_EQ(*place.position, SentPosition{});
}

TEST(PositionTable, WhatIsUndoneIsAsOldAsItWas) {
  PositionTable table;
  ASSERT_TRUE(set(table, 7, kAnywhere));
  for (std::uint32_t frame = 0; frame < kFramesMax; ++frame) table.begin_frame();
  const PositionTable::Place place = table.find_or_add(7);
  const SentPosition before = *place.position;
  *place.position = {{9, 9}, {}};
  table.restore(7, before, place.set_in);
  ASSERT_NE(table.find(7), nullptr);
  EXPECT_EQ(*table.find(7), kAnywhere);
  table.begin_frame();
  EXPECT_EQ(table.find(7), nullptr);
}

TEST(PositionTable, HoldsNoMoreThanItsLastFramesHaveSet) {
  PositionTable table(300 * 2 * kFramesMax);
  ObjectId id = 0;
  for (int frame = 0; frame < 2'000; ++frame) {
    table.begin_frame();
    for (int i = 0; i < 300; ++i) ASSERT_TRUE(set(table, ++id, kAnywhere)) << frame;
    ASSERT_LE(table.size(), 300 * 2 * kFramesMax);
  }
  for (std::uint32_t frame = 0; frame < 2 * kFramesMax; ++frame) table.begin_frame();
  EXPECT_EQ(table.size(), 0u);
}

TEST(PositionTable, RefusesOneMoreThanItsBoundAndStillReplaces) {
  PositionTable table(100);
  for (ObjectId id = 0; id < 100; ++id) EXPECT_TRUE(set(table, id, kAnywhere));
  EXPECT_FALSE(set(table, 100, kAnywhere));
  EXPECT_FALSE(table.find(100));
  EXPECT_TRUE(set(table, 50, {{2, 2}, {}}));
  EXPECT_EQ(table.find(50)->position, (Point{2, 2}));
  table.erase(0);
  EXPECT_TRUE(set(table, 100, kAnywhere));
}

}  // namespace
}  // namespace sweepd::wire::position_table_test
