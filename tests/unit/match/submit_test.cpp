// SPDX-License-Identifier: MIT
//
// Protects: for which tick a frame is taken, which frames are refused whole, and what they acknowledge.
#include "match/match.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "match/frame_queue.h"
#include "unit/match/match_builders.h"

namespace sweepd::match::submit_test {
namespace {

using ::testing::HasSubstr;

constexpr Tick kHighestTick = std::numeric_limits<Tick>::max();

void run_ticks(Match& match, int count) {
  for (int i = 0; i < count; ++i) match.step();
}

Frame empty_frame(Tick tick, Tick acknowledged_tick = 0) {
  Frame frame;
  frame.tick = tick;
  frame.acknowledged_tick = acknowledged_tick;
  return frame;
}

void expect_refused(Match& match, const Participant& participant, Tick tick, RejectionReason reason,
                    const std::string& found, const std::string& limit) {
  const auto rejection = match.apply(Submission{participant.number, empty_frame(tick)});
  ASSERT_TRUE(rejection);
  EXPECT_EQ(rejection->reason, reason);
  EXPECT_EQ(rejection->field, "tick");
  EXPECT_EQ(rejection->frame_tick, tick);
  EXPECT_EQ(rejection->tick, match.tick() + 1);
  EXPECT_EQ(rejection->participant, participant.number);
  EXPECT_EQ(rejection->object, 0u);
  EXPECT_THAT(rejection->message, HasSubstr(found));
  EXPECT_THAT(rejection->message, HasSubstr(limit));
}

TEST(Submit, TakesTick0AsTheNext) {
  const auto match = make_match();
  const Participant ann = join(*match, "ann");
  run_ticks(*match, 3);
  submit(*match, ann, spawn_frame(object_at(1, {0, 0}), 0));
  match->step();
  EXPECT_TRUE(match->find_object(1));
  EXPECT_EQ(match->find_participant(ann.number)->late_frames, 0u);
}

TEST(Submit, KeepsAFrameUntilItsTick) {
  const auto match = make_match();
  const Participant ann = join(*match, "ann");
  submit(*match, ann, spawn_frame(object_at(1, {0, 0}), 3));
  run_ticks(*match, 2);
  EXPECT_FALSE(match->find_object(1));
  match->step();
  EXPECT_TRUE(match->find_object(1));
}

TEST(Submit, AppliesFramesThatCameOutOfOrderByTheirTicks) {
  const auto match = make_match();
  const Participant ann = join(*match, "ann");
  for (const Tick tick : {3, 1, 2}) {
    submit(*match, ann, spawn_frame(object_at(static_cast<ObjectId>(tick), {0, 0}), tick));
  }
  for (ObjectId tick = 1; tick <= 3; ++tick) {
    match->step();
    EXPECT_EQ(match->object_count(), tick);
    EXPECT_TRUE(match->find_object(tick));
  }
}

TEST(Submit, TakesAFrameUpToMaxLeadTicksAheadOfTheNext) {
  MatchConfig config = small_config();
  config.max_lead_ticks = 5;
  const auto match = make_match(config);
  const Participant ann = join(*match, "ann");
  match->step();
  EXPECT_FALSE(match->apply(Submission{ann.number, empty_frame(7)}));
  expect_refused(*match, ann, 8, RejectionReason::kTooFarAhead, "6 ahead of the next, 2", "at most 5");
  expect_refused(*match, ann, kHighestTick, RejectionReason::kTooFarAhead, "18446744073709551615",
                 "max_lead_ticks");
}

TEST(Submit, AppliesALateFrameInTheNextTickUpToMaxLateTicks) {
  MatchConfig config = small_config();
  config.max_late_ticks = 2;
  const auto match = make_match(config);
  const Participant ann = join(*match, "ann");
  run_ticks(*match, 4);
  submit(*match, ann, spawn_frame(object_at(1, {0, 0}), 3));
  expect_refused(*match, ann, 2, RejectionReason::kTooLate, "3 before the next, 5", "at most 2");
  match->step();
  EXPECT_TRUE(match->find_object(1));
  EXPECT_EQ(match->find_participant(ann.number)->late_frames, 2u);
}

TEST(Submit, DropsEveryLateFrameWhereThePolicySaysSo) {
  MatchConfig config = small_config();
  config.late_frames = LateFramePolicy::kDrop;
  const auto match = make_match(config);
  const Participant ann = join(*match, "ann");
  match->step();
  expect_refused(*match, ann, 1, RejectionReason::kTooLate, "tick 1 has run", "drops late frames");
  EXPECT_FALSE(match->apply(Submission{ann.number, empty_frame(2)}));
  EXPECT_EQ(match->find_participant(ann.number)->late_frames, 1u);
}

TEST(Submit, KeepsAtMost1024FramesWaiting) {
  const auto match = make_match();
  const Participant ann = join(*match, "ann");
  const Participant bob = join(*match, "bob");
  for (std::size_t i = 0; i < kFramesWaitingMax; ++i) submit(*match, ann, empty_frame(i % 3));
  const auto rejection = match->apply(Submission{ann.number, empty_frame(0)});
  ASSERT_TRUE(rejection);
  EXPECT_EQ(rejection->reason, RejectionReason::kTooManyFrames);
  EXPECT_EQ(rejection->field, "");
  EXPECT_THAT(rejection->message, HasSubstr("1024"));
  EXPECT_FALSE(match->apply(Submission{bob.number, empty_frame(0)})) << "the bound is each participant's own";
  match->step();
  EXPECT_FALSE(match->apply(Submission{ann.number, empty_frame(0)}));
}

TEST(Submit, BoundsTheMemoryOfWaitingFramesButNotOneFrame) {
  const auto match = make_match();
  const Participant ann = join(*match, "ann");
  Frame half = empty_frame(2);
  half.despawns.assign(kRowsWaitingMax / 2, 1);
  EXPECT_FALSE(match->apply(Submission{ann.number, half}));
  EXPECT_FALSE(match->apply(Submission{ann.number, half})) << "at the bound";
  Frame one = empty_frame(2);
  one.despawns = {1};
  const auto rejection = match->apply(Submission{ann.number, one});
  ASSERT_TRUE(rejection) << "one past it";
  EXPECT_EQ(rejection->reason, RejectionReason::kTooManyFrames);
  EXPECT_THAT(rejection->message, HasSubstr(std::to_string(kRowsWaitingMax)));
  match->step();
  match->step();
  Frame large = empty_frame(0);
  large.despawns.assign(kRowsWaitingMax + 1, 1);
  EXPECT_FALSE(match->apply(Submission{ann.number, large}));
}

TEST(Submit, RefusesChangesOfAnObserverAndTakesItsAcknowledgements) {
  const auto match = make_match();
  const Participant judge = join(*match, "judge", Role::kObserver);
  match->step();
  EXPECT_FALSE(match->apply(Submission{judge.number, empty_frame(0, 1)}));
  EXPECT_EQ(match->find_participant(judge.number)->acknowledged_tick, 1u);
  const auto rejection = match->apply(Submission{judge.number, despawn_frame(1)});
  ASSERT_TRUE(rejection);
  EXPECT_EQ(rejection->reason, RejectionReason::kNotAllowed);
  EXPECT_EQ(rejection->field, "despawns");
  EXPECT_THAT(rejection->message, HasSubstr("observer"));
  EXPECT_EQ(match->step().rejections.size(), 1u);
  EXPECT_EQ(match->find_participant(judge.number)->rejections, 1u);
}

TEST(Submit, NamesTheFirstChangeThatAnObserverAskedFor) {
  const auto match = make_match();
  const Participant judge = join(*match, "judge", Role::kObserver);
  const auto field_of = [&](auto fill) {
    Frame frame;
    fill(frame);
    const auto rejection = match->apply(Submission{judge.number, frame});
    return rejection ? rejection->field : "taken";
  };
  EXPECT_EQ(field_of([](Frame& f) { f.spawns.push_back(object_at(1, {0, 0})); }), "spawns");
  EXPECT_EQ(field_of([](Frame& f) { f.reshapes.push_back({}); }), "reshapes");
  EXPECT_EQ(field_of([](Frame& f) { f.layer_changes.push_back({}); }), "layer_changes");
  EXPECT_EQ(field_of([](Frame& f) { f = move_frame(1, {0, 0}); }), "moves");
  EXPECT_EQ(field_of([](Frame& f) { f.moves.push_back({}); }), "absolute_moves");
  EXPECT_EQ(field_of([](Frame& f) { f.motions.push_back({}); }), "motions");
  EXPECT_EQ(field_of([](Frame& f) { f.disables.push_back({}); }), "disables");
  EXPECT_EQ(field_of([](Frame& f) { f.enables.push_back(1); }), "enables");
}

TEST(Submit, FromAnUnknownNumberIsRefusedAndLeavesNoTrace) {
  const auto match = make_match();
  const auto rejection = match->apply(Submission{7, spawn_frame(object_at(1, {0, 0}))});
  ASSERT_TRUE(rejection);
  EXPECT_EQ(rejection->reason, RejectionReason::kNotAllowed);
  match->apply(RefusedMessage{7, RejectionReason::kMalformed, 0, "moves.dx", "unequal columns"});
  EXPECT_TRUE(match->step().rejections.empty());
  EXPECT_EQ(match->object_count(), 0u);
}

TEST(Acknowledgement, IsTheHighestSoFarAndNeverAboveTheLastTickThatRan) {
  const auto match = make_match();
  const Participant ann = join(*match, "ann");
  const auto acknowledged = [&](Tick tick) {
    EXPECT_FALSE(match->apply(Submission{ann.number, empty_frame(0, tick)}));
    return match->find_participant(ann.number)->acknowledged_tick;
  };
  EXPECT_EQ(acknowledged(kHighestTick), 0u);
  run_ticks(*match, 5);
  EXPECT_EQ(acknowledged(3), 3u);
  EXPECT_EQ(acknowledged(2), 3u);
  EXPECT_EQ(acknowledged(6), 5u);
}

TEST(Acknowledgement, CountsWithAFrameThatIsRefused) {
  const auto match = make_match();
  const Participant ann = join(*match, "ann");
  run_ticks(*match, 2);
  EXPECT_TRUE(match->apply(Submission{ann.number, empty_frame(kHighestTick, 2)}));
  EXPECT_EQ(match->find_participant(ann.number)->acknowledged_tick, 2u);
}

TEST(FramesAreIn, WhenEveryPlayerAndStageHasOneForTheNextTick) {
  const auto match = make_match();
  EXPECT_FALSE(match->frames_are_in());
  join(*match, "judge", Role::kObserver);
  EXPECT_FALSE(match->frames_are_in());
  const Participant ann = join(*match, "ann");
  const Participant stage = join(*match, "stage", Role::kStage);
  submit(*match, ann, empty_frame(0));
  EXPECT_FALSE(match->frames_are_in());
  submit(*match, stage, empty_frame(2));
  EXPECT_FALSE(match->frames_are_in()) << "a frame for a later tick is not one for the next";
  submit(*match, stage, empty_frame(1));
  EXPECT_TRUE(match->frames_are_in());
  match->step();
  EXPECT_FALSE(match->frames_are_in());
  submit(*match, ann, empty_frame(1));
  EXPECT_TRUE(match->frames_are_in()) << "a late frame applies in the next tick";
}

TEST(ReadyParticipants, AreThoseOfWhomAFrameWasAccepted) {
  const auto match = make_match();
  const Participant ann = join(*match, "ann");
  const Participant bob = join(*match, "bob");
  const Participant judge = join(*match, "judge", Role::kObserver);
  EXPECT_EQ(match->ready_participants(), 0u);
  EXPECT_TRUE(match->apply(Submission{ann.number, empty_frame(kHighestTick)}));
  EXPECT_FALSE(match->apply(Submission{judge.number, empty_frame(0)}));
  EXPECT_EQ(match->ready_participants(), 0u);
  submit(*match, ann, empty_frame(0));
  submit(*match, ann, empty_frame(0));
  EXPECT_EQ(match->ready_participants(), 1u);
  submit(*match, bob, empty_frame(0));
  EXPECT_EQ(match->ready_participants(), 2u);
  match->step();
  EXPECT_EQ(match->ready_participants(), 2u);
  match->apply(Leave{bob.number});
  EXPECT_EQ(match->ready_participants(), 1u);
}

}  // namespace
}  // namespace sweepd::match::submit_test
