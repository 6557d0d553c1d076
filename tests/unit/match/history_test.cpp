// SPDX-License-Identifier: MIT
//
// Protects what the past costs: few bytes for each object and tick, next to none for what moves by itself,
// and none for ever. What it says is held against copies of worlds in tests/property/history.
#include <gtest/gtest.h>

#include "collision/world.h"
#include "match/history/history.h"

namespace sweepd::match::history_test {
namespace {

using collision::Motion;
using collision::World;

constexpr ObjectId kObjects = 2'000;
constexpr std::uint32_t kTicks = 120;

class HistoryCost : public ::testing::Test {
 protected:
  void spawn_all(const Motion& motion = {}) {
    for (ObjectId id = 1; id <= kObjects; ++id) {
      const auto x = static_cast<collision::Subunits>(id * 100);
      const auto result = world_.spawn(
          {.id = id, .owner = 1, .position = {x, 0}, .parts = {{.box = {0, 0, 9, 9}}}, .motion = motion});
      ASSERT_TRUE(result.ok());
    }
    tick();
  }

  void tick() { world_.finish_tick(&history_); }

  /// Plays `ticks`, in each of which `change(id)` happens to every object.
  template <typename Change>
  void play(std::uint32_t ticks, const Change& change) {
    for (std::uint32_t i = 0; i < ticks; ++i) {
      for (ObjectId id = 1; id <= kObjects; ++id) change(id);
      tick();
    }
  }

  void play_quietly(std::uint32_t ticks) {
    play(ticks, [](ObjectId) {});
  }

  collision::Point position(ObjectId id) const { return world_.find(id)->position; }
  double bytes_per_object() const { return static_cast<double>(history_.bytes()) / kObjects; }

  World world_{collision::WorldConfig{}};
  History history_{kTicks};
};

TEST_F(HistoryCost, AnObjectThatFramesMoveInEveryTickTakesAtMostTwelveBytesATick) {
  spawn_all();
  play(3 * kTicks, [&](ObjectId id) {  // Far jumps cost no more than steps.
    const collision::Point at = position(id);
    world_.move_to(id, {-at.x, at.y + 1'000'000});
  });
  EXPECT_LE(bytes_per_object() / kTicks, 12.0) << "with all that is kept of its life";
}

TEST_F(HistoryCost, AnObjectThatFramesMoveStraightOnTakesNothingForATick) {
  spawn_all();
  const auto go_on = [&](ObjectId id) { world_.move_to(id, {position(id).x + 3, position(id).y - 2}); };
  play(3, go_on);
  const std::size_t before = history_.bytes();
  play(kTicks - 10, go_on);
  EXPECT_LE(history_.bytes(), before + std::size_t{kTicks} * 400);
  EXPECT_EQ(history_.find(kObjects, 50)->trajectory.position, (collision::Point{200'000 + 147, -98}));
  play(2 * kTicks, go_on);
  EXPECT_LE(history_.bytes(), before + std::size_t{kTicks} * 400) << "however long it goes on";
  EXPECT_EQ(history_.find(kObjects, 250)->trajectory.position, (collision::Point{200'000 + 747, -498}));
}

TEST_F(HistoryCost, AnObjectThatFramesTurnNowAndThenTakesTwoPositionsATurn) {
  spawn_all();
  const auto bounce = [&](ObjectId id) {
    const collision::Subunits way = (world_.tick() + id) / 20 % 2 == 0 ? 5 : -5;
    world_.move_to(id, {position(id).x + way, 0});
  };
  play(2 * kTicks, bounce);
  EXPECT_LE(bytes_per_object(), 200 + kTicks / 20 * 2 * 12.0);
}

TEST_F(HistoryCost, AnObjectThatFramesSteerInEveryTickTakesAtMostTwelveBytesATick) {
  spawn_all();
  play(3 * kTicks, [&](ObjectId id) {
    const auto speed = static_cast<collision::Subunits>((world_.tick() + id) % 40) - 20;
    world_.set_motion(id, {{speed, -speed}, {0, 0}});
  });
  EXPECT_LE(bytes_per_object() / kTicks, 12.0);
}

TEST_F(HistoryCost, OneOfAThousandThatMovesTakesAtMostTwelveBytesATick) {
  spawn_all();
  const auto move_few = [&](ObjectId id) {
    if (id % 1000 == 0) world_.move_to(id, {position(id).x + 1, 0});
  };
  play(1, move_few);  // What the first that is ever moved takes once.
  play_quietly(kTicks);
  const std::size_t before = history_.bytes();
  play(kTicks, move_few);
  EXPECT_LE(static_cast<double>(history_.bytes() - before) / (kObjects / 1000) / kTicks, 12.0);
}

TEST_F(HistoryCost, AnObjectThatTheServerMovesTakesNothingForATick) {
  spawn_all({{3, 4}, {1, 0}});
  play_quietly(1);
  const std::size_t before = history_.bytes();
  play_quietly(kTicks - 10);
  const std::size_t ticks_alone = history_.bytes() - before;  // What a tick without any change takes.
  EXPECT_LE(ticks_alone, std::size_t{kTicks} * 400);
  EXPECT_EQ(history_.find(kObjects, 50)->trajectory.motion.velocity, (collision::Point{53, 4}));
}

TEST_F(HistoryCost, WhatIsTooOldIsForgotten) {
  spawn_all();
  play(kTicks, [&](ObjectId id) {
    world_.move_to(id, {-position(id).x, 0});
    world_.change_layer(id, std::nullopt, 0);
  });
  const std::size_t busy = history_.bytes();
  play_quietly(kTicks + 1);
  EXPECT_LT(history_.bytes(), busy / 2) << "the positions are gone";
}

TEST_F(HistoryCost, ItDoesNotGrowWithTheNumberOfLives) {
  const auto live_and_die = [&](ObjectId id) {
    if (id > 20) return;
    const collision::Point at{static_cast<collision::Subunits>(id), 0};
    if (world_.find(id)) {
      world_.despawn(id);
    } else {
      world_.spawn(
          {.id = id, .owner = 1, .position = at, .parts = {{.box = {0, 0, 9, 9}}, {.box = {0, 0, 5, 5}}}});
    }
  };
  play(3 * kTicks, live_and_die);
  const std::size_t settled = history_.bytes();
  play(10 * kTicks, live_and_die);
  EXPECT_LE(history_.bytes(), settled + settled / 20);
}

TEST_F(HistoryCost, DisablingBackAndForthDoesNotGrowIt) {
  spawn_all();
  const auto toggle = [&](ObjectId id) {
    if (id > 50) return;
    if (world_.find(id)->disabled_until != 0) {
      world_.enable(id);
    } else {
      world_.disable_until(id, collision::kForever);
    }
  };
  play(3 * kTicks, toggle);
  const std::size_t settled = history_.bytes();
  play(10 * kTicks, toggle);
  EXPECT_LE(history_.bytes(), settled + settled / 20);
}

TEST(History, AnswersForATeleportWithItsTick) {
  World world{collision::WorldConfig{}};
  History history(10);
  ASSERT_TRUE(world.spawn({.id = 7, .owner = 1, .position = {0, 0}, .parts = {{}}}).ok());
  world.finish_tick(&history);
  EXPECT_EQ(history.find_way(7, 1)->teleported, 0u);
  ASSERT_TRUE(world.move_to(7, {500, 0}).ok());
  world.finish_tick(&history);
  EXPECT_EQ(history.find_way(7, 2)->teleported, 0u) << "a move is a way";
  ASSERT_TRUE(world.teleport_to(7, {1'000, 0}).ok());
  world.finish_tick(&history);
  EXPECT_EQ(history.find_way(7, 3)->teleported, 3u);
  EXPECT_EQ(history.find_living(7)->born, 1u);
  EXPECT_EQ(history.find_living(8), nullptr);
}

/// Whether a past in which an object of that owner was, and is not any more, can be restored.
bool is_restored_with(OwnerId owner) {
  World world{collision::WorldConfig{}};
  History history(10);
  EXPECT_TRUE(world.spawn({.id = 7, .owner = owner, .position = {0, 0}, .parts = {{}}}).ok());
  world.finish_tick(&history);
  EXPECT_TRUE(world.despawn(7, collision::ExitReason::kDespawned).ok());
  world.finish_tick(&history);
  base::ByteWriter writer;
  history.save(writer);
  const std::string bytes(writer.bytes());
  base::ByteReader reader(bytes);
  History other(10);
  other.restore(reader, world, 1);
  if (reader.ok()) {
    EXPECT_EQ(other.find(7, 1)->owner, owner);
  }
  return reader.ok();
}

TEST(History, IsNotRestoredWithAnOwnerThatCannotHaveBeen) {
  EXPECT_TRUE(is_restored_with(kParticipantsMax - 1));
  EXPECT_FALSE(is_restored_with(kParticipantsMax));
}

}  // namespace
}  // namespace sweepd::match::history_test
