// SPDX-License-Identifier: MIT
// Protects what contact does to objects: single-use ones are used up by the first thing they meet, hit points
// go, graze does nothing, and the log says so in its order. Beside it, what else may happen to an object that
// is nobody's ordinary move: teleports, freezing, a playfield that scrolls.

#include <string>

#include "world_fixture.h"

namespace sweepd::collision::outcome_test {
namespace {

constexpr ObjectId kShip = 1;

struct OutcomeTest : WorldTest {
  OutcomeTest() {
    WorldConfig config = make_config();
    config.matrix.allow(kBullet, kBullet);
    config.contact_rules = {{.layer_a = kBullet, .layer_b = kGraze, .is_sensor = true},
                            {.layer_a = kBullet, .layer_b = kBullet, .damage_interval_ticks = 3}};
    world = World(config);
  }

  static ObjectSpec shot(ObjectId id, Point position) {
    ObjectSpec object = spec(id, kBullet, position);
    object.single_use = true;
    object.damage = 1;
    return object;
  }

  static ObjectSpec ship(ObjectId id, Point position, std::uint32_t hit_points) {
    ObjectSpec object = spec(id, kPlayer, position);
    object.hit_points = hit_points;
    return object;
  }

  /// "ENTER 1-2", "EXIT 1-2 CONSUMED", …, as far as these tests need it.
  std::vector<std::string> log() {
    std::vector<std::string> lines;
    for (const Event& event : tick()) {
      const std::string pair = std::to_string(event.key.object_a) + "-" + std::to_string(event.key.object_b);
      switch (event.reason) {
        case ExitReason::kNone:
          lines.push_back("ENTER " + pair);
          break;
        case ExitReason::kConsumed:
          lines.push_back("CONSUMED " + pair);
          break;
        case ExitReason::kDestroyed:
          lines.push_back("DESTROYED " + pair);
          break;
        case ExitReason::kSwept:
          lines.push_back("SWEPT " + pair);
          break;
        default:
          lines.push_back("EXIT " + pair);
      }
    }
    return lines;
  }
};

using Lines = std::vector<std::string>;

TEST_F(OutcomeTest, ASingleUseShotIsUsedUpByTheLowerIdOfTwoThatItMeetsAtOnce) {
  spawn(spec(1, kPlayer, {0, 0}));
  spawn(spec(2, kPlayer, {5, 0}));
  spawn(shot(3, {0, 0}));
  EXPECT_EQ(log(), (Lines{"ENTER 1-3", "CONSUMED 1-3"}));
  EXPECT_FALSE(world.find(3).has_value());
  EXPECT_TRUE(std::ranges::equal(world.removed_by_world(), std::vector<ObjectId>{3}, {}, &RemovedObject::id));
  EXPECT_EQ(world.encounter_count(), 0u);
  EXPECT_EQ(log(), Lines{});
}

TEST_F(OutcomeTest, AnIdThatWasUsedUpMayComeAgainInTheNextTickAndMeetTheSame) {
  spawn(spec(kShip, kPlayer, {0, 0}));
  spawn(shot(2, {0, 0}));
  EXPECT_EQ(log(), (Lines{"ENTER 1-2", "CONSUMED 1-2"}));
  spawn(shot(2, {0, 0}));
  EXPECT_EQ(log(), (Lines{"ENTER 1-2", "CONSUMED 1-2"}));
}

TEST_F(OutcomeTest, OfTwoOnItsWayAFastShotIsUsedUpByTheNearer) {
  spawn(spec(1, kPlayer, {600, 0}));
  spawn(spec(2, kPlayer, {300, 0}));
  ObjectSpec fast = shot(3, {-100, 0});
  fast.continuous = true;
  fast.motion.velocity = {900, 0};
  spawn(fast);
  EXPECT_EQ(log(), (Lines{"ENTER 2-3", "CONSUMED 2-3"}));
}

TEST_F(OutcomeTest, GrazeDoesNotUseUpABulletAndIsToldEvenIfTheBulletHitsInTheSameTick) {
  ObjectSpec player = spec(kShip, kPlayer, {0, 0});
  player.parts.push_back({{-50, -50, 50, 50}, kGraze});
  spawn(player);
  spawn(shot(2, {0, 55}));
  EXPECT_EQ(log(), Lines{"ENTER 1-2"});
  ASSERT_TRUE(world.move_to(2, {0, 0}).ok());
  EXPECT_EQ(log(), (Lines{"ENTER 1-2", "CONSUMED 1-2", "CONSUMED 1-2"}));
}

TEST_F(OutcomeTest, WhatIsDestroyedEndsAllItsContactsAfterTheEnters) {
  spawn(ship(kShip, {0, 0}, 1));
  spawn(spec(5, kBullet, {0, 15}));  // It does no damage.
  EXPECT_EQ(log(), Lines{"ENTER 1-5"});
  spawn(shot(2, {0, -15}));
  EXPECT_EQ(log(), (Lines{"ENTER 1-2", "DESTROYED 1-2", "DESTROYED 1-5"}));
}

TEST_F(OutcomeTest, HitPointsGoShotByShot) {
  spawn(ship(kShip, {0, 0}, 2));
  spawn(shot(2, {0, 0}));
  EXPECT_EQ(log(), (Lines{"ENTER 1-2", "CONSUMED 1-2"}));
  EXPECT_EQ(world.find(kShip)->hit_points, 1u);
  EXPECT_TRUE(world.destructions().empty());
  spawn(shot(3, {0, 0}));
  EXPECT_EQ(log(), (Lines{"ENTER 1-3", "DESTROYED 1-3"}));
  ASSERT_EQ(world.destructions().size(), 1u);
  EXPECT_EQ(world.destructions()[0], (Destruction{kShip, 3, kPlayer, kBullet}));
  EXPECT_EQ(world.object_count(), 0u);
}

TEST_F(OutcomeTest, ContactThatLastsTakesHitPointsAtItsInterval) {
  ObjectSpec boss = spec(1, kBullet, {0, 0});
  boss.hit_points = 3;
  spawn(boss);
  ObjectSpec beam = spec(2, kBullet, {0, 0});
  beam.damage = 1;
  spawn(beam);
  std::vector<std::uint32_t> left;
  for (int i = 0; i < 6; ++i) {
    tick();
    left.push_back(world.find(1)->hit_points);
  }
  EXPECT_EQ(left, (std::vector<std::uint32_t>{2, 2, 2, 1, 1, 1}));
  EXPECT_EQ(log(), Lines{"DESTROYED 1-2"});
}

TEST_F(OutcomeTest, AStrikeDoesWhatContactWouldAndIsNotTold) {
  spawn(ship(kShip, {0, 0}, 1));
  spawn(shot(2, {500, 0}));
  tick();
  world.strike({kShip, 2, kPlayer, kBullet});
  EXPECT_EQ(log(), Lines{});
  EXPECT_EQ(world.strikes().size(), 1u);
  EXPECT_EQ(world.destructions().size(), 1u);
  EXPECT_EQ(world.object_count(), 0u);
}

TEST_F(OutcomeTest, AStrikeCountsThoughNeitherOfTheTwoHasAnythingToLose) {
  spawn(spec(1, kPlayer, {0, 0}));
  spawn(spec(2, kBullet, {500, 0}));
  tick();
  world.strike({1, 2, kPlayer, kBullet});
  EXPECT_EQ(log(), Lines{});
  EXPECT_EQ(world.strikes().size(), 1u);
  EXPECT_EQ(log(), Lines{});
  EXPECT_TRUE(world.strikes().empty()) << "once";
}

TEST_F(OutcomeTest, AStrikeWithAShotThatIsUsedUpDoesNothing) {
  spawn(ship(kShip, {0, 0}, 5));
  spawn(ship(2, {100, 0}, 5));
  spawn(shot(3, {500, 0}));
  tick();
  world.strike({kShip, 3, kPlayer, kBullet});
  world.strike({2, 3, kPlayer, kBullet});
  tick();
  EXPECT_EQ(world.strikes().size(), 1u);
  EXPECT_EQ(world.find(kShip)->hit_points, 4u);
  EXPECT_EQ(world.find(2)->hit_points, 5u);
}

TEST_F(OutcomeTest, WhatIsTeleportedMeetsNothingOnTheWay) {
  spawn(spec(kShip, kPlayer, {300, 0}));
  ObjectSpec fast = spec(2, kBullet, {0, 0});
  fast.continuous = true;
  spawn(fast);
  tick();
  ASSERT_TRUE(world.teleport_to(2, {600, 0}).ok());
  EXPECT_EQ(log(), Lines{});
  ASSERT_TRUE(world.move_to(2, {0, 0}).ok());
  EXPECT_EQ(log(), (Lines{"ENTER 1-2", "SWEPT 1-2"}));
}

TEST_F(OutcomeTest, WhatIsFrozenKeepsItsMotionForLater) {
  ObjectSpec mover = spec(1, kBullet, {0, 0});
  mover.motion.velocity = {7, 0};
  spawn(mover);
  ASSERT_TRUE(world.freeze(1).ok());
  tick();
  EXPECT_EQ(world.find(1)->position, (Point{0, 0}));
  EXPECT_TRUE(world.find(1)->is_frozen);
  ASSERT_TRUE(world.set_motion(1, {{9, 0}, {}}).ok());
  tick();
  EXPECT_EQ(world.find(1)->position, (Point{0, 0}));
  ASSERT_TRUE(world.release(1).ok());
  tick();
  EXPECT_EQ(world.find(1)->position, (Point{9, 0}));
}

TEST_F(OutcomeTest, WhatThePlayfieldScrollsAwayFromLeavesItThoughItStandsStill) {
  ObjectSpec still = spec(1, kBullet, {-995, 0});
  still.despawn_outside_playfield = true;
  spawn(still);
  tick();
  ASSERT_TRUE(world.scroll_to({15, 0}));  // Its right edge, -985, still touches.
  tick();
  EXPECT_TRUE(world.find(1).has_value());
  ASSERT_TRUE(world.scroll_to({16, 0}));
  tick();
  EXPECT_FALSE(world.find(1).has_value());
  EXPECT_FALSE(world.scroll_to({kSubunitsMax, 0}));
  EXPECT_EQ(world.playfield_origin(), (Point{16, 0}));
}

}  // namespace
}  // namespace sweepd::collision::outcome_test
