// SPDX-License-Identifier: MIT
//
// Protects objects from what went before them: templates and speed budgets are kept where the world has an
// object, and its place is another's once it is gone, in every way that it can go.
#include <gtest/gtest.h>

#include <array>
#include <optional>

#include "base/dice.h"
#include "match/match.h"
#include "match/slot_table.h"
#include "unit/match/match_builders.h"

namespace sweepd::match::slot_test {
namespace {

constexpr collision::Subunits kSpeed = 50;
constexpr std::uint32_t kShot = 1;

/// Players have shots, which are slow; the stage spawns what it likes.
MatchConfig config_with_shots() {
  MatchConfig config = small_config();
  config.playfield = {-10'000, -10'000, 10'000, 10'000};
  config.templates = {{.name = "shot",
                       .shapes = {{{{{-2, -2, 2, 2}, kPlayerLayer}}}},
                       .hit_points = 1,
                       .speed_max = kSpeed,
                       .speed_budget_ticks = 1,
                       .disable_max_ticks = 10,
                       .disable_interval_ticks = 10,
                       .disable_within_ticks = 2}};
  return config;
}

collision::ObjectSpec shot(ObjectId id, std::uint32_t ticks = 0) {
  collision::ObjectSpec spec;
  spec.id = id;
  spec.kind = kShot;
  spec.time_to_live_ticks = ticks;
  return spec;
}

class SlotTest : public ::testing::Test {
 protected:
  std::size_t refused(const Participant& who, Frame frame) {
    submit(*match_, who, std::move(frame));
    return match_->step().rejections.size();
  }
  void spawn_moved_shot(std::uint32_t ticks = 0) {
    EXPECT_EQ(refused(player_, spawn_frame(shot(player_.first_id, ticks))), 0u);
    EXPECT_EQ(refused(player_, move_frame(player_.first_id, {kSpeed, 0})), 0u);
    EXPECT_EQ(refused(player_, move_frame(player_.first_id, {3 * kSpeed, 0})), 1u);
  }
  void expect_restored_alike() {
    const std::string saved = match_->save();
    const auto restored = Match::restore(config_with_shots(), saved);
    ASSERT_TRUE(restored) << restored.error().description;
    EXPECT_EQ((*restored)->save(), saved);
  }
  /// It takes the place of what is gone.
  void expect_free_object() {
    const ObjectId id = stage_.first_id;
    EXPECT_FALSE(match_->find_object(player_.first_id).has_value());
    expect_restored_alike();
    EXPECT_EQ(refused(stage_, spawn_frame(object_at(id, {0, 0}, kItemLayer))), 0u);
    EXPECT_EQ(refused(stage_, move_frame(id, {9'000, 0})), 0u);
    Frame frame;
    frame.disables = {{id, 0}};
    EXPECT_EQ(refused(stage_, frame), 0u);
    expect_restored_alike();
  }

  std::unique_ptr<Match> match_ = make_match(config_with_shots());
  const Participant player_ = join(*match_, "ann");
  const Participant stage_ = join(*match_, "stage", Role::kStage);
};

TEST_F(SlotTest, OfAnObjectThatIsDespawnedIsFree) {
  spawn_moved_shot();
  EXPECT_EQ(refused(player_, despawn_frame(player_.first_id)), 0u);
  expect_free_object();
}

TEST_F(SlotTest, OfAnObjectThatExpiresIsFree) {
  spawn_moved_shot(3);
  for (int i = 0; i < 3; ++i) match_->step();
  expect_free_object();
}

TEST_F(SlotTest, OfAnObjectWhoseOwnerLeavesIsFree) {
  spawn_moved_shot();
  match_->apply(Leave{player_.number});
  match_->step();
  expect_free_object();
}

TEST_F(SlotTest, KeepsItsTemplateForAnObjectThatComesAfter) {
  spawn_moved_shot();
  EXPECT_EQ(refused(player_, despawn_frame(player_.first_id)), 0u);
  spawn_moved_shot();
}

TEST(SlotTable, KeepsEachValueWhileOthersComeAndGo) {
  constexpr std::uint32_t kSlots = 40;
  SlotTable<std::uint64_t> table;
  std::array<std::optional<std::uint64_t>, kSlots> expected{};
  base::Dice dice(1);
  for (int i = 0; i < 5000; ++i) {
    const auto slot = static_cast<ObjectSlot>(dice.between(0, kSlots - 1));
    if (dice.between(0, 2) == 0) {
      table.erase(slot);
      expected[slot].reset();
    } else {
      expected[slot] = dice.roll();
      table.set(slot, *expected[slot]);
    }
    std::size_t size = 0;
    for (ObjectSlot at = 0; at < kSlots; ++at) {
      const std::uint64_t* found = table.find(at);
      ASSERT_EQ(found == nullptr ? std::nullopt : std::optional(*found), expected[at]);
      size += expected[at] ? 1 : 0;
    }
    ASSERT_EQ(table.size(), size);
    ASSERT_EQ(table.find(kSlots), nullptr);
  }
}

}  // namespace
}  // namespace sweepd::match::slot_test
