// SPDX-License-Identifier: MIT
//
// Protects a match from clients that are late on purpose: what a held-up client has sent is played as it
// would have been in time, one tick's frames after the other's, and nothing is skipped on the way.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "match/seats.h"
#include "unit/match/match_builders.h"

namespace sweepd::match {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr ObjectId kShip = 1;
constexpr collision::Subunits kStep = 100;

MatchConfig spread_config(LateFramePolicy policy = LateFramePolicy::kSpread) {
  MatchConfig config = small_config();
  config.late_frames = policy;
  config.layer_limits = {
      {.layer = config.layers[kPlayerLayer], .speed_max = kStep, .speed_budget_ticks = 60}};
  return config;
}

/// A ship at x 0, and three enemies in its way, where it is after 5, 9 and 13 steps.
struct HeldUp {
  explicit HeldUp(const MatchConfig& config) : match(make_match(config)), ship(join(*match, "ann")) {
    const Participant stage = join(*match, "stage", Role::kStage);
    submit(*match, ship, spawn_frame(object_at(kShip, {0, 0})));
    Frame wall;
    for (const std::uint32_t place : {0u, 1u, 2u}) {
      const auto x = static_cast<collision::Subunits>(5 + 4 * place) * kStep;
      wall.spawns.push_back(object_at(stage.first_id + place, {x, 0}, kEnemyLayer));
    }
    submit(*match, stage, wall);
    match->step();
  }

  Frame step_frame(Tick tick, int steps) const {
    Frame frame = move_frame(kShip, {steps * kStep, 0});
    frame.tick = tick;
    return frame;
  }

  void run(int ticks) {
    for (; ticks > 0; --ticks) {
      for (const collision::Event& event : match->step().events)
        encounters += event.kind == collision::EventKind::kEnter ? 1 : 0;
    }
  }

  collision::Subunits x() const { return match->find_object(kShip)->position.x; }

  std::unique_ptr<Match> match;
  Participant ship;
  int encounters = 0;
};

TEST(Spread, OfAShipThatIsInTimeEveryEncounterIsTold) {
  HeldUp trajectory(spread_config());
  for (int step = 1; step <= 20; ++step) {
    submit(*trajectory.match, trajectory.ship, trajectory.step_frame(trajectory.match->tick() + 1, step));
    trajectory.run(1);
  }
  EXPECT_EQ(trajectory.encounters, 3);
  EXPECT_EQ(trajectory.x(), 20 * kStep);
}

/// Twenty frames come at once, when their ticks have run.
void play_late(HeldUp& trajectory) {
  const Tick first = trajectory.match->tick() + 1;
  trajectory.run(20);
  for (int step = 1; step <= 20; ++step)
    submit(*trajectory.match, trajectory.ship,
           trajectory.step_frame(first + static_cast<Tick>(step) - 1, step));
}

TEST(Spread, OfAShipThatWasHeldUpNoneIsSkipped) {
  HeldUp trajectory(spread_config());
  play_late(trajectory);
  trajectory.run(9);
  EXPECT_EQ(trajectory.x(), 18 * kStep) << "two frames in each tick";
  trajectory.run(1);
  EXPECT_EQ(trajectory.x(), 20 * kStep);
  EXPECT_EQ(trajectory.encounters, 3);
}

TEST(Spread, WithoutItAllApplyAtOnceAndSkipTheWall) {
  HeldUp trajectory(spread_config(LateFramePolicy::kApplyNext));
  play_late(trajectory);
  trajectory.run(1);
  EXPECT_EQ(trajectory.x(), 20 * kStep);
  EXPECT_EQ(trajectory.encounters, 0);
}

TEST(Spread, WhatWasSavedByStandingStillIsNoLeap) {
  HeldUp trajectory(spread_config());
  trajectory.run(30);
  submit(*trajectory.match, trajectory.ship, trajectory.step_frame(0, 3));
  trajectory.run(1);
  EXPECT_EQ(trajectory.x(), 0) << "no farther in a tick than late frames go, whatever is saved";
  EXPECT_EQ(trajectory.match->find_participant(0)->rejections_by_reason.of(RejectionReason::kTooFast), 1u);
  for (int step = 2; step <= 14; step += 2) {
    submit(*trajectory.match, trajectory.ship, trajectory.step_frame(0, step));
    trajectory.run(1);
    EXPECT_EQ(trajectory.x(), step * kStep);
  }
  EXPECT_EQ(trajectory.encounters, 3) << "two ticks' way at a time";
}

TEST(Spread, NorDoSeveralMovesInOneTickSkipAnything) {
  for (const bool in_one_frame : {false, true}) {
    HeldUp trajectory(spread_config());
    trajectory.run(30);
    for (int step = 2; step <= 14; step += 2) {
      Frame both;
      for (const int place : {step - 1, step}) {
        if (!in_one_frame) submit(*trajectory.match, trajectory.ship, trajectory.step_frame(0, place));
        both.moves.push_back({kShip, {place * kStep, 0}});
      }
      if (in_one_frame) submit(*trajectory.match, trajectory.ship, both);
      trajectory.run(1);
    }
    EXPECT_EQ(trajectory.x(), 14 * kStep);
    EXPECT_EQ(trajectory.encounters, 3);
  }
}

TEST(Spread, AMoveOfOneTicksWayIsJudgedWhereItEnds) {
  MatchConfig config = spread_config();
  config.layer_limits[0].speed_max = 600;
  HeldUp trajectory(config);
  submit(*trajectory.match, trajectory.ship, trajectory.step_frame(0, 6));
  trajectory.run(1);
  EXPECT_EQ(trajectory.encounters, 0) << "as of all objects that are not continuous";
}

TEST(Spread, FramesInTimeWaitBehindTheLateOnesUntilTheClientHasCaughtUp) {
  HeldUp trajectory(spread_config());
  const Tick first = trajectory.match->tick() + 1;
  trajectory.run(4);
  for (int step = 1; step <= 4; ++step)
    submit(*trajectory.match, trajectory.ship,
           trajectory.step_frame(first + static_cast<Tick>(step) - 1, step));
  std::vector<collision::Subunits> places;
  for (int step = 5; step <= 12; ++step) {
    submit(*trajectory.match, trajectory.ship,
           trajectory.step_frame(first + static_cast<Tick>(step) - 1, step));
    trajectory.run(1);
    places.push_back(trajectory.x() / kStep);
  }
  // From the fourth on, each is where it would have been: at the end of its own tick.
  EXPECT_THAT(places, ElementsAre(2, 4, 6, 8, 9, 10, 11, 12));
}

TEST(Spread, SeveralFramesOfOneTickStayTogether) {
  HeldUp trajectory(spread_config());
  const Tick first = trajectory.match->tick() + 1;
  trajectory.run(3);
  for (const Tick tick : {first, first, first + 1, first + 1, first + 1, first + 2}) {
    Frame frame;
    frame.tick = tick;
    submit(*trajectory.match, trajectory.ship, frame);
  }
  EXPECT_EQ(trajectory.match->frames_waiting(), 6u);
  trajectory.run(1);
  EXPECT_EQ(trajectory.match->frames_waiting(), 1u);
  trajectory.run(1);
  EXPECT_EQ(trajectory.match->frames_waiting(), 0u);
}

TEST(Spread, AFrameForTheNextTickDoesNotOvertakeTheLate) {
  HeldUp trajectory(spread_config());
  play_late(trajectory);
  submit(*trajectory.match, trajectory.ship, despawn_frame(kShip));
  trajectory.run(9);
  EXPECT_EQ(trajectory.x(), 18 * kStep);
  trajectory.run(1);
  EXPECT_FALSE(trajectory.match->find_object(kShip)) << "it applies with the last of them";
}

TEST(Spread, InLockstepNobodyWaitsForAFrameThatHasComeAndWaitsItself) {
  MatchConfig config = spread_config();
  config.clock = ClockKind::kLockstep;
  config.lockstep.required_roles = {Role::kPlayer};
  HeldUp trajectory(config);
  play_late(trajectory);
  EXPECT_FALSE(trajectory.match->frames_are_in()) << "late ones do not count";
  submit(*trajectory.match, trajectory.ship, trajectory.step_frame(trajectory.match->tick() + 1, 21));
  EXPECT_TRUE(trajectory.match->frames_are_in());
  trajectory.run(1);
  EXPECT_FALSE(trajectory.match->frames_are_in()) << "it was for that tick alone";
}

TEST(Spread, HowLateAndHowBunchedFramesWereIsCounted) {
  HeldUp trajectory(spread_config());
  play_late(trajectory);
  trajectory.run(10);
  const Participant ann = *trajectory.match->find_participant(trajectory.ship.number);
  EXPECT_EQ(ann.late_frames, 20u);
  EXPECT_EQ(ann.late_ticks_max, 20u);
  EXPECT_EQ(ann.bunched_frames, 10u);
}

TEST(Spread, WhoHasLeftIsRemembered) {
  HeldUp trajectory(spread_config());
  play_late(trajectory);
  trajectory.run(10);
  trajectory.match->apply(Leave{trajectory.ship.number});
  const auto again = Match::restore(spread_config(), trajectory.match->save());
  ASSERT_TRUE(again.ok()) << again.error().place << ' ' << again.error().description;
  trajectory.match->end();
  for (const Match* match : {trajectory.match.get(), again->get()}) {
    ASSERT_THAT(match->former_participants(), SizeIs(1));
    EXPECT_EQ(match->former_participants()[0].name, "ann");
    EXPECT_EQ(match->former_participants()[0].late_ticks_max, 20u);
    EXPECT_EQ(match->former_participants()[0].bunched_frames, 10u);
  }
}

TEST(Spread, FramesThatWaitBehindLateOnesOutliveASnapshot) {
  HeldUp trajectory(spread_config());
  play_late(trajectory);
  trajectory.run(3);
  auto again = Match::restore(spread_config(), trajectory.match->save());
  ASSERT_TRUE(again.ok()) << again.error().place << ' ' << again.error().description;
  for (int tick = 0; tick < 10; ++tick) {
    submit(*trajectory.match, trajectory.ship, trajectory.step_frame(trajectory.match->tick(), 20));
    submit(**again, trajectory.ship, trajectory.step_frame((*again)->tick(), 20));
    EXPECT_EQ(trajectory.match->step().digest, (*again)->step().digest);
  }
  EXPECT_EQ((*again)->find_participant(0)->late_ticks_max,
            trajectory.match->find_participant(0)->late_ticks_max);
  EXPECT_EQ((*again)->find_participant(0)->bunched_frames,
            trajectory.match->find_participant(0)->bunched_frames);
}

TEST(Spread, OfThoseWhoLeftTheFirstAreForgotten) {
  const auto match = make_match(spread_config());
  for (std::size_t i = 0; i < kFormerParticipantsMax + 2; ++i) {
    const Participant one = join(*match, "p" + std::to_string(i));
    match->step();
    match->apply(Leave{one.number});
    match->step();
  }
  ASSERT_THAT(match->former_participants(), SizeIs(kFormerParticipantsMax));
  EXPECT_EQ(match->former_participants().front().name, "p2");
}

TEST(Spread, ObserversThatLeaveAreNotRemembered) {
  const auto match = make_match(spread_config());
  const Participant one = join(*match, "watcher", Role::kObserver);
  match->step();
  match->apply(Leave{one.number});
  EXPECT_THAT(match->former_participants(), IsEmpty());
}

}  // namespace
}  // namespace sweepd::match
