// SPDX-License-Identifier: MIT
// Protects the steady tick: once a world has seen its busiest ticks it asks the heap for nothing more,
// however much comes and goes.

#include <gtest/gtest.h>

#include <cstdlib>
#include <new>

#include "collision/world.h"
#include "property/random.h"
#include "unit/counted_heap.h"

namespace sweepd::collision::allocation_test {
namespace {

using test::allocations;

constexpr Subunits kUnit = 256;

enum : LayerId { kPlayer, kShot, kEnemy, kBullet };

CollisionMatrix matrix() {
  CollisionMatrix matrix;
  matrix.allow(kPlayer, kEnemy);
  matrix.allow(kPlayer, kBullet);
  matrix.allow(kShot, kEnemy);
  return matrix;
}

/// A bullet hell that has found its pace: as many objects leave as come, some by themselves.
class SteadyScene {
 public:
  explicit SteadyScene(BroadphaseKind kind)
      : world_({.layer_count = 4, .matrix = matrix(), .broadphase = kind}) {
    for (ObjectId id = 1; id <= kRoamers; ++id) spawn(id, id <= 4 ? kPlayer : kEnemy);
    while (next_shot_ - first_shot_ < kShots) spawn(next_shot_++, kShot);
    world_.finish_tick();
  }

  void tick() {
    if (world_.tick() % kPeriod == 0) random_ = property::Random(5);
    for (ObjectId id = 1; id <= kRoamers; ++id) world_.move_to(id, random_point());
    for (std::uint32_t i = 0; i < kShotsATick; ++i) world_.despawn(first_shot_++);
    for (std::uint32_t i = 0; i < kShotsATick; ++i) spawn(next_shot_++, kShot, {{100, -3000}, {}});
    for (std::uint32_t i = 0; i < 20; ++i) spawn(next_bullet_++, kBullet, {{300, 900}, {1, 0}}, 15);
    world_.disable_until(first_shot_ + 3, world_.tick() + 3);
    world_.change_layer(first_shot_ + 9, std::nullopt, kBullet);
    events_ += world_.finish_tick().size();
  }

  std::size_t events() const { return events_; }

 private:
  /// It repeats itself: what was the busiest tick once is never surpassed.
  static constexpr Tick kPeriod = 100;
  static constexpr ObjectId kRoamers = 84;
  static constexpr std::uint32_t kShots = 300;
  static constexpr std::uint32_t kShotsATick = 20;

  void spawn(ObjectId id, LayerId layer, const Motion& motion = {}, std::uint32_t time_to_live_ticks = 0) {
    spec_.id = id;
    spec_.position = random_point();
    spec_.motion = motion;
    spec_.continuous = id % 16 == 0;
    spec_.time_to_live_ticks = time_to_live_ticks;
    const Subunits size = layer == kEnemy ? 32 * kUnit : 8 * kUnit;
    spec_.parts.resize(layer == kEnemy ? 3 : 1);
    for (Part& part : spec_.parts) part = {.box = {0, 0, size, size}, .layer = layer};
    world_.spawn(spec_);
  }

  Point random_point() {
    return {static_cast<Subunits>(random_.between(0, 480 * kUnit)),
            static_cast<Subunits>(random_.between(0, 640 * kUnit))};
  }

  World world_;
  property::Random random_{5};
  ObjectSpec spec_;
  ObjectId first_shot_ = 1000;
  ObjectId next_shot_ = 1000;
  ObjectId next_bullet_ = 1'000'000;
  std::size_t events_ = 0;
};

struct AllocationTest : testing::TestWithParam<BroadphaseKind> {};

INSTANTIATE_TEST_SUITE_P(EveryKind, AllocationTest, testing::ValuesIn(kBroadphaseKinds));

TEST_P(AllocationTest, ASteadyTickAsksTheHeapForNothing) {
  SteadyScene scene(GetParam());
  for (int i = 0; i < 600; ++i) scene.tick();
  const std::size_t events = scene.events();
  const std::size_t before = allocations;
  for (int i = 0; i < 200; ++i) scene.tick();
  EXPECT_EQ(allocations - before, 0u);
  EXPECT_GT(scene.events() - events, 1000u);
}

}  // namespace
}  // namespace sweepd::collision::allocation_test
