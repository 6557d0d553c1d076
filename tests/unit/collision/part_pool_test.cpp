// SPDX-License-Identifier: MIT
// Protects the pool of parts: handles keep their meaning until the tick is over, and rooms are used again
// after it.

#include "collision/part_pool.h"

#include <gtest/gtest.h>

namespace sweepd::collision::part_pool_test {
namespace {

Part part(Subunits x) { return {.box = {x, 0, x + 10, 5}, .layer = 3}; }

TEST(PartPool, KnowsTheOwnerTheIndexAndTheBoundsOfParts) {
  PartPool pool;
  const PartHandle single = pool.add(7, std::vector{part(100)});
  const PartHandle several = pool.add(9, std::vector{part(0), part(50), part(-20)});
  EXPECT_EQ(pool.owner(single).object, 7u);
  EXPECT_EQ(pool.owner(several + 2).object, 9u);
  EXPECT_EQ(pool.owner(several + 2).part, 2u);
  EXPECT_EQ(pool.bounds(single, 1), part(100).box);
  EXPECT_EQ(pool.bounds(several, 3), (Box{-20, 0, 60, 5}));
  EXPECT_EQ(pool.parts(several, 3)[1], part(50));
}

TEST(PartPool, GivesReleasedHandlesAgainOnlyAfterTheTick) {
  PartPool pool;
  const PartHandle first = pool.add(1, std::vector{part(0)});
  pool.release(first, 1);
  EXPECT_EQ(pool[first], part(0));
  EXPECT_NE(pool.add(2, std::vector{part(1)}), first);
  pool.recycle();
  EXPECT_EQ(pool.add(3, std::vector{part(2)}), first);
  EXPECT_EQ(pool.owner(first).object, 3u);
}

TEST(PartPool, GivesARoomOnlyToAsManyPartsAsItHad) {
  PartPool pool;
  const PartHandle two = pool.add(1, std::vector{part(0), part(1)});
  pool.release(two, 2);
  pool.recycle();
  EXPECT_NE(pool.add(2, std::vector{part(0)}), two);
  EXPECT_EQ(pool.add(3, std::vector{part(4), part(5)}), two);
}

}  // namespace
}  // namespace sweepd::collision::part_pool_test
