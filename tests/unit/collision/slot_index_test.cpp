// SPDX-License-Identifier: MIT
// Protects the index of slots by object id: every id is found, whatever came and went beside it.

#include "collision/slot_index.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <vector>

namespace sweepd::collision::slot_index_test {
namespace {

/// A table of ids by slot, and its index.
class Table {
 public:
  void insert(ObjectId id, std::uint32_t slot) {
    if (slot >= ids_.size()) ids_.resize(slot + 1u);
    ids_[slot] = id;
    index_.insert(id, slot, id_at());
  }
  void erase(ObjectId id) { index_.erase(id, id_at()); }
  std::uint32_t find(ObjectId id) const { return index_.find(id, id_at()); }
  std::size_t size() const { return index_.size(); }

 private:
  struct IdAt {
    const std::vector<ObjectId>& ids;
    ObjectId operator()(std::uint32_t slot) const { return ids[slot]; }
  };
  IdAt id_at() const { return {ids_}; }

  std::vector<ObjectId> ids_;
  SlotIndex index_;
};

TEST(SlotIndex, FindsNothingWhenEmpty) { EXPECT_EQ(Table().find(1), SlotIndex::kNone); }

TEST(SlotIndex, AnIdMayComeBackInAnotherSlot) {
  Table table;
  table.insert(7, 0);
  table.insert(8, 1);
  table.erase(7);
  EXPECT_EQ(table.find(7), SlotIndex::kNone);
  table.insert(9, 0);
  table.insert(7, 2);
  EXPECT_EQ(table.find(7), 2u);
  EXPECT_EQ(table.find(8), 1u);
  EXPECT_EQ(table.find(9), 0u);
}

TEST(SlotIndex, BehavesLikeAMapUnderChurn) {
  Table table;
  std::map<ObjectId, std::uint32_t> expected;
  std::vector<std::uint32_t> free_slots;
  std::mt19937_64 random(1);
  for (std::uint32_t step = 0; step < 50'000; ++step) {
    const auto id = static_cast<ObjectId>(random() % 400 * (random() % 2 == 0 ? 1 : 977) + 1);
    const auto known = expected.find(id);
    if (known != expected.end()) {
      table.erase(id);
      free_slots.push_back(known->second);
      expected.erase(known);
    } else {
      if (free_slots.empty()) free_slots.push_back(static_cast<std::uint32_t>(expected.size()));
      table.insert(id, expected[id] = free_slots.back());
      free_slots.pop_back();
    }
    const auto probe = static_cast<ObjectId>(random() % 1'000);
    const auto found = expected.find(probe);
    ASSERT_EQ(table.find(probe), found == expected.end() ? SlotIndex::kNone : found->second);
    ASSERT_EQ(table.size(), expected.size());
  }
}

TEST(SlotIndexDeathTest, ErasingAnIdThatIsNotThereIsABrokenInvariant) {
  Table table;
  EXPECT_DEATH(table.erase(1), "broken invariant");
  table.insert(1, 0);
  EXPECT_DEATH(table.erase(2), "broken invariant");
}

}  // namespace
}  // namespace sweepd::collision::slot_index_test
