// SPDX-License-Identifier: MIT
// Protects deadlines: they come due in order, outdated ones never, and outdated ones do not pile up.

#include "collision/deadlines.h"

#include <gtest/gtest.h>

namespace sweepd::collision {
namespace {

struct DeadlinesTest : testing::Test {
  Object& create(ObjectId id, Tick expires_at) {
    ObjectSpec spec;
    spec.id = id;
    spec.parts.resize(1);
    return objects.create(spec, expires_at);
  }
  ObjectId take(Tick tick) {
    Object* object = deadlines.take(tick, objects);
    if (object == nullptr) return 0;
    const ObjectId id = object->id;
    objects.remove(*object, ExitReason::kExpired);
    return id;
  }

  ObjectTable objects;
  Deadlines deadlines{[](const Object& object) { return object.expires_at; }};
};

TEST_F(DeadlinesTest, ComeDueInOrderOfIds) {
  for (const ObjectId id : {9u, 2u, 5u}) deadlines.add(create(id, 7), objects);
  deadlines.add(create(1, 8), objects);
  EXPECT_EQ(take(6), 0u);
  EXPECT_EQ(take(7), 2u);
  EXPECT_EQ(take(7), 5u);
  EXPECT_EQ(take(7), 9u);
  EXPECT_EQ(take(7), 0u);
  EXPECT_EQ(take(8), 1u);
}

TEST_F(DeadlinesTest, OfObjectsThatAreGoneOrThatWereGivenAnotherTickNeverCome) {
  Object& gone = create(1, 7);
  deadlines.add(gone, objects);
  objects.remove(gone, ExitReason::kDespawned);
  deadlines.add(create(2, 7), objects);
  objects.find(2)->expires_at = 9;
  deadlines.add(*objects.find(2), objects);
  EXPECT_EQ(take(7), 0u);
  EXPECT_EQ(take(9), 2u);
}

TEST_F(DeadlinesTest, ForeverNeverComes) {
  deadlines.add(create(1, kForever), objects);
  EXPECT_EQ(take(kForever), 0u);
}

TEST_F(DeadlinesTest, SurviveThatOutdatedOnesAreThrownOut) {
  create(1, 1'000'000);
  for (Tick tick = 1'000'000; tick > 990'000; --tick) {
    objects.find(1)->expires_at = tick;
    deadlines.add(*objects.find(1), objects);
    deadlines.add(*objects.find(1), objects);
  }
  EXPECT_EQ(take(990'000), 0u);
  EXPECT_EQ(take(990'001), 1u);
}

}  // namespace
}  // namespace sweepd::collision
