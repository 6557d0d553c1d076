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
  HeldUp held_up(spread_config());
  for (int step = 1; step <= 20; ++step) {
    submit(*held_up.match, held_up.ship, held_up.step_frame(held_up.match->tick() + 1, step));
    held_up.run(1);
  }
  EXPECT_EQ(held_up.encounters, 3);
  EXPECT_EQ(held_up.x(), 20 * kStep);
}

/// Twenty frames come at once, when their ticks have run.
void play_late(HeldUp& held_up) {
  const Tick first = held_up.match->tick() + 1;
  held_up.run(20);
  for (int step = 1; step <= 20; ++step)
    submit(*held_up.match, held_up.ship, held_up.step_frame(first + static_cast<Tick>(step) - 1, step));
}

TEST(Spread, OfAShipThatWasHeldUpNoneIsSkipped) {
  HeldUp held_up(spread_config());
  play_late(held_up);
  held_up.run(9);
  EXPECT_EQ(held_up.x(), 18 * kStep) << "two frames in each tick";
  held_up.run(1);
  EXPECT_EQ(held_up.x(), 20 * kStep);
  EXPECT_EQ(held_up.encounters, 3);
}

TEST(Spread, WithoutItAllApplyAtOnceAndSkipTheWall) {
  HeldUp held_up(spread_config(LateFramePolicy::kApplyNext));
  play_late(held_up);
  held_up.run(1);
  EXPECT_EQ(held_up.x(), 20 * kStep);
  EXPECT_EQ(held_up.encounters, 0);
}

TEST(Spread, WhatWasSavedByStandingStillIsNoLeap) {
  HeldUp held_up(spread_config());
  held_up.run(30);
  submit(*held_up.match, held_up.ship, held_up.step_frame(0, 3));
  held_up.run(1);
  EXPECT_EQ(held_up.x(), 0) << "no farther in a tick than late frames go, whatever is saved";
  EXPECT_EQ(held_up.match->find_participant(0)->rejections_by_reason.of(RejectionReason::kTooFast), 1u);
  for (int step = 2; step <= 14; step += 2) {
    submit(*held_up.match, held_up.ship, held_up.step_frame(0, step));
    held_up.run(1);
    EXPECT_EQ(held_up.x(), step * kStep);
  }
  EXPECT_EQ(held_up.encounters, 3) << "two ticks' way at a time";
}

TEST(Spread, NorDoSeveralMovesInOneTickSkipAnything) {
  for (const bool in_one_frame : {false, true}) {
    HeldUp held_up(spread_config());
    held_up.run(30);
    for (int step = 2; step <= 14; step += 2) {
      Frame both;
      for (const int place : {step - 1, step}) {
        if (!in_one_frame) submit(*held_up.match, held_up.ship, held_up.step_frame(0, place));
        both.moves.push_back({kShip, {place * kStep, 0}});
      }
      if (in_one_frame) submit(*held_up.match, held_up.ship, both);
      held_up.run(1);
    }
    EXPECT_EQ(held_up.x(), 14 * kStep);
    EXPECT_EQ(held_up.encounters, 3);
  }
}

TEST(Spread, AMoveOfOneTicksWayIsJudgedWhereItEnds) {
  MatchConfig config = spread_config();
  config.layer_limits[0].speed_max = 600;
  HeldUp held_up(config);
  submit(*held_up.match, held_up.ship, held_up.step_frame(0, 6));
  held_up.run(1);
  EXPECT_EQ(held_up.encounters, 0) << "as of all objects that are not continuous";
}

TEST(Spread, FramesInTimeWaitBehindTheLateOnesUntilTheClientHasCaughtUp) {
  HeldUp held_up(spread_config());
  const Tick first = held_up.match->tick() + 1;
  held_up.run(4);
  for (int step = 1; step <= 4; ++step)
    submit(*held_up.match, held_up.ship, held_up.step_frame(first + static_cast<Tick>(step) - 1, step));
  std::vector<collision::Subunits> places;
  for (int step = 5; step <= 12; ++step) {
    submit(*held_up.match, held_up.ship, held_up.step_frame(first + static_cast<Tick>(step) - 1, step));
    held_up.run(1);
    places.push_back(held_up.x() / kStep);
  }
  // From the fourth on, each is where it would have been: at the end of its own tick.
  EXPECT_THAT(places, ElementsAre(2, 4, 6, 8, 9, 10, 11, 12));
}

TEST(Spread, SeveralFramesOfOneTickStayTogether) {
  HeldUp held_up(spread_config());
  const Tick first = held_up.match->tick() + 1;
  held_up.run(3);
  for (const Tick tick : {first, first, first + 1, first + 1, first + 1, first + 2}) {
    Frame frame;
    frame.tick = tick;
    submit(*held_up.match, held_up.ship, frame);
  }
  EXPECT_EQ(held_up.match->frames_waiting(), 6u);
  held_up.run(1);
  EXPECT_EQ(held_up.match->frames_waiting(), 1u);
  held_up.run(1);
  EXPECT_EQ(held_up.match->frames_waiting(), 0u);
}

TEST(Spread, AFrameForTheNextTickDoesNotOvertakeTheLate) {
  HeldUp held_up(spread_config());
  play_late(held_up);
  submit(*held_up.match, held_up.ship, despawn_frame(kShip));
  held_up.run(9);
  EXPECT_EQ(held_up.x(), 18 * kStep);
  held_up.run(1);
  EXPECT_FALSE(held_up.match->find_object(kShip)) << "it applies with the last of them";
}

TEST(Spread, InLockstepNobodyWaitsForAFrameThatHasComeAndWaitsItself) {
  MatchConfig config = spread_config();
  config.clock = ClockKind::kLockstep;
  config.lockstep.required_roles = {Role::kPlayer};
  HeldUp held_up(config);
  play_late(held_up);
  EXPECT_FALSE(held_up.match->frames_are_in()) << "late ones do not count";
  submit(*held_up.match, held_up.ship, held_up.step_frame(held_up.match->tick() + 1, 21));
  EXPECT_TRUE(held_up.match->frames_are_in());
  held_up.run(1);
  EXPECT_FALSE(held_up.match->frames_are_in()) << "it was for that tick alone";
}

TEST(Spread, HowLateAndHowBunchedFramesWereIsCounted) {
  HeldUp held_up(spread_config());
  play_late(held_up);
  held_up.run(10);
  const Participant ann = *held_up.match->find_participant(held_up.ship.number);
  EXPECT_EQ(ann.late_frames, 20u);
  EXPECT_EQ(ann.late_ticks_max, 20u);
  EXPECT_EQ(ann.bunched_frames, 10u);
}

TEST(Spread, WhoHasLeftIsRemembered) {
  HeldUp held_up(spread_config());
  play_late(held_up);
  held_up.run(10);
  held_up.match->apply(Leave{held_up.ship.number});
  const auto again = Match::restore(spread_config(), held_up.match->save());
  ASSERT_TRUE(again.ok()) << again.error().place << ' ' << again.error().description;
  held_up.match->end();
  for (const Match* match : {held_up.match.get(), again->get()}) {
    ASSERT_THAT(match->former_participants(), SizeIs(1));
    EXPECT_EQ(match->former_participants()[0].name, "ann");
    EXPECT_EQ(match->former_participants()[0].late_ticks_max, 20u);
    EXPECT_EQ(match->former_participants()[0].bunched_frames, 10u);
  }
}

TEST(Spread, FramesThatWaitBehindLateOnesOutliveASnapshot) {
  HeldUp held_up(spread_config());
  play_late(held_up);
  held_up.run(3);
  auto again = Match::restore(spread_config(), held_up.match->save());
  ASSERT_TRUE(again.ok()) << again.error().place << ' ' << again.error().description;
  for (int tick = 0; tick < 10; ++tick) {
    submit(*held_up.match, held_up.ship, held_up.step_frame(held_up.match->tick(), 20));
    submit(**again, held_up.ship, held_up.step_frame((*again)->tick(), 20));
    EXPECT_EQ(held_up.match->step().digest, (*again)->step().digest);
  }
  EXPECT_EQ((*again)->find_participant(0)->late_ticks_max,
            held_up.match->find_participant(0)->late_ticks_max);
  EXPECT_EQ((*again)->find_participant(0)->bunched_frames,
            held_up.match->find_participant(0)->bunched_frames);
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
