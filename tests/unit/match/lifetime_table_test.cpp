// SPDX-License-Identifier: MIT
// Protects the table of lives: each is found by its id and any of its ticks, whoever else had the id, until
// it is forgotten.

#include "match/history/lifetime_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace sweepd::match::lifetime_table_test {
namespace {

const std::vector<collision::Part> kParts(1);

LifetimeTable::State owned_by(OwnerId owner) { return {.owner = owner, .parts = kParts}; }

TEST(ShortTick, IsTheTickThatItWasMadeOf) {
  const Tick large = (Tick{1} << 40) - 2;
  for (const Tick tick : {Tick{0}, Tick{1}, Tick{0x1'2345'6789}, large, collision::kForever}) {
    EXPECT_EQ(Tick{ShortTick(tick)}, tick);
  }
}

TEST(LifetimeTable, TheLivesOfAnIdAreFoundByTheirTicks) {
  LifetimeTable lives;
  const LifetimeIndex first = lives.begin(7, 1, owned_by(1), false);
  lives.end(first, 5);
  const LifetimeIndex second = lives.begin(7, 6, owned_by(2), false);
  EXPECT_EQ(lives.find(7, 4), first);
  EXPECT_EQ(lives.find(7, 5), LifetimeTable::kNone);
  EXPECT_EQ(lives.find(7, 6), second);
  EXPECT_EQ(lives.find_last(7), second);
  EXPECT_TRUE(lives.has(7, 1));
  lives.forget_before(5);
  EXPECT_FALSE(lives.has(7, 1));
  EXPECT_TRUE(lives.has(7, 6));
  EXPECT_EQ(lives.find(7, 4), LifetimeTable::kNone);
}

TEST(LifetimeTable, ATeleportGoesWithItsLife) {
  LifetimeTable lives;
  const LifetimeIndex first = lives.begin(7, 1, owned_by(1), false);
  EXPECT_EQ(lives.teleported(first), 0u);
  lives.teleport(first, 3);
  lives.alter(first, 4, owned_by(2));
  EXPECT_EQ(lives.teleported(first), 3u);
  lives.end(first, 5);
  lives.forget_before(5);
  const LifetimeIndex second = lives.begin(7, 6, owned_by(1), false);
  EXPECT_EQ(second, first) << "the place is given again";
  EXPECT_EQ(lives.teleported(second), 0u);
}

/// What is there, for comparison.
struct Known {
  ObjectId id;
  LifetimeIndex life;
  Tick born;
  Tick died;
};

TEST(LifetimeTable, BehavesLikeAListUnderChurn) {
  constexpr Tick kKept = 10;
  LifetimeTable lives;
  std::vector<Known> all;
  std::mt19937_64 random(3);
  for (Tick tick = 1; tick <= 2'000; ++tick) {
    for (int change = 0; change < 8; ++change) {
      const auto id = static_cast<ObjectId>(random() % 100 + 1);
      const auto living = std::ranges::find_if(
          all, [&](const Known& known) { return known.id == id && known.died == collision::kForever; });
      if (living == all.end()) {
        all.push_back({id, lives.begin(id, tick, owned_by(id), false), tick, collision::kForever});
      } else if (living->born < tick) {
        living->died = tick;
        lives.end(living->life, tick);
      }
    }
    const Tick oldest = tick > kKept ? tick - kKept : 0;
    lives.forget_before(oldest);
    std::erase_if(all, [&](const Known& known) { return known.died <= oldest; });
    for (const Known& known : all) {
      ASSERT_EQ(lives[known.life].id, known.id);
      ASSERT_EQ(lives.find(known.id, std::max(known.born, oldest)), known.life);
      ASSERT_TRUE(lives.has(known.id, known.born));
    }
  }
}

}  // namespace
}  // namespace sweepd::match::lifetime_table_test
