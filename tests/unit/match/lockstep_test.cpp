// SPDX-License-Identifier: MIT
//
// Protects what a match knows of its clock: whose frames a tick waits for, which frames count, who was late,
// and the limits of the settings.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "match/match.h"
#include "unit/match/match_builders.h"

namespace sweepd::match::lockstep_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

MatchConfig lockstep_config() {
  MatchConfig config = small_config();
  config.clock = ClockKind::kLockstep;
  return config;
}

Frame frame_for(Tick tick) {
  Frame frame;
  frame.tick = tick;
  return frame;
}

std::vector<ParticipantNumber> late_in(const TickOutput& output) {
  return {output.late_participants.begin(), output.late_participants.end()};
}

TEST(Lockstep, ATickWaitsForEveryPlayerAndStage) {
  const auto match = make_match(lockstep_config());
  EXPECT_FALSE(match->frames_are_in()) << "nobody is there";
  const Participant ann = join(*match, "ann");
  const Participant stage = join(*match, "stage", Role::kStage);
  join(*match, "eve", Role::kObserver);
  submit(*match, ann, frame_for(1));
  EXPECT_FALSE(match->frames_are_in());
  submit(*match, stage, frame_for(0));
  EXPECT_TRUE(match->frames_are_in());
  EXPECT_THAT(late_in(match->step()), IsEmpty());
  EXPECT_FALSE(match->frames_are_in()) << "the next tick needs frames of its own";
}

TEST(Lockstep, OnlyTheRequiredRolesAreWaitedFor) {
  MatchConfig config = lockstep_config();
  config.lockstep.required_roles = {Role::kPlayer};
  const auto match = make_match(config);
  const Participant ann = join(*match, "ann");
  join(*match, "stage", Role::kStage);
  submit(*match, ann, frame_for(1));
  EXPECT_TRUE(match->frames_are_in());
  EXPECT_THAT(late_in(match->step()), IsEmpty());
  EXPECT_THAT(late_in(match->step()), ElementsAre(ann.number));
}

TEST(Lockstep, WithNobodyRequiredNoFrameMakesATickDueAndNobodyIsLate) {
  MatchConfig config = lockstep_config();
  config.lockstep.required_roles = {};
  const auto match = make_match(config);
  const Participant ann = join(*match, "ann");
  submit(*match, ann, frame_for(1));
  EXPECT_FALSE(match->frames_are_in());
  EXPECT_THAT(late_in(match->step()), IsEmpty());
  EXPECT_THAT(late_in(match->step()), IsEmpty());
}

TEST(Lockstep, WhoseFrameWasMissingIsNamedAndCounted) {
  const auto match = make_match(lockstep_config());
  const Participant ann = join(*match, "ann");
  const Participant bob = join(*match, "bob");
  const Participant cat = join(*match, "cat");
  submit(*match, bob, frame_for(1));
  EXPECT_THAT(late_in(match->step()), ElementsAre(ann.number, cat.number));
  submit(*match, cat, frame_for(2));
  EXPECT_THAT(late_in(match->step()), ElementsAre(ann.number, bob.number));
  EXPECT_EQ(match->find_participant(ann.number)->frames_missed, 2u);
  EXPECT_EQ(match->find_participant(bob.number)->frames_missed, 1u);
  EXPECT_EQ(match->find_participant(cat.number)->frames_missed, 1u);
  EXPECT_THAT(late_in(match->end()), IsEmpty()) << "nothing waits for the last tick";
}

TEST(Lockstep, AFrameThatComesLateAppliesInTheNextTickButIsNotTheFrameForIt) {
  const auto match = make_match(lockstep_config());
  const Participant ann = join(*match, "ann");
  match->step();
  submit(*match, ann, spawn_frame(object_at(1, {0, 0}), 1));
  EXPECT_FALSE(match->frames_are_in());
  submit(*match, ann, frame_for(2));
  EXPECT_TRUE(match->frames_are_in());
  EXPECT_THAT(late_in(match->step()), IsEmpty());
  EXPECT_TRUE(match->find_object(1));
}

TEST(Lockstep, FramesThatWaitAheadCountInTheirTicks) {
  const auto match = make_match(lockstep_config());
  const Participant ann = join(*match, "ann");
  for (const Tick tick : {4, 1, 2}) submit(*match, ann, frame_for(tick));
  for (const bool is_in : {true, true, false, true}) {
    EXPECT_EQ(match->frames_are_in(), is_in);
    EXPECT_EQ(late_in(match->step()).empty(), is_in);
  }
}

TEST(Lockstep, OtherClocksWaitForNobodyInParticular) {
  MatchConfig config = small_config();
  config.clock = ClockKind::kManual;
  config.lockstep.required_roles = {};
  const auto match = make_match(config);
  const Participant ann = join(*match, "ann");
  EXPECT_THAT(late_in(match->step()), IsEmpty());
  EXPECT_EQ(match->find_participant(ann.number)->frames_missed, 0u);
  submit(*match, ann, frame_for(2));
  EXPECT_TRUE(match->frames_are_in()) << "a step that waits waits for all";
}

TEST(Lockstep, TheClockIsNoPartOfTheDigest) {
  const auto lockstep = make_match(lockstep_config());
  const auto manual = make_match();
  EXPECT_EQ(lockstep->digest(), manual->digest());
  join(*lockstep, "ann");
  join(*manual, "ann");
  EXPECT_EQ(lockstep->step().digest, manual->step().digest) << "late or not";
}

TEST(Lockstep, ADeadlineIs1To60000MillisecondsLong) {
  MatchConfig config = lockstep_config();
  for (const std::uint32_t deadline_ms : {1u, 60'000u}) {
    config.lockstep.deadline_ms = deadline_ms;
    EXPECT_FALSE(find_error(config));
  }
  for (const std::uint32_t deadline_ms : {0u, 60'001u}) {
    config.lockstep.deadline_ms = deadline_ms;
    const auto error = find_error(config);
    ASSERT_TRUE(error);
    EXPECT_EQ(error->field, "lockstep.deadline_ms");
    EXPECT_THAT(error->description, HasSubstr("1 to 60000"));
  }
}

TEST(Lockstep, ObserversCannotBeRequiredButMayControlTheClock) {
  MatchConfig config = lockstep_config();
  config.clock_control_roles = {Role::kObserver};
  EXPECT_FALSE(find_error(config));
  config.lockstep.required_roles = {Role::kPlayer, Role::kObserver};
  ASSERT_TRUE(find_error(config));
  EXPECT_EQ(find_error(config)->field, "lockstep.required_roles");
}

TEST(Refusals, AreReportedBeforeTheNextTickOnRequestAndThenOnlyOnce) {
  const auto match = make_match();
  const Participant ann = join(*match, "ann");
  match->step();
  match->apply(RefusedMessage{ann.number, RejectionReason::kMayNotControl, 0, "clock_control", "no"});
  const TickOutput output = match->report_refusals();
  ASSERT_EQ(output.rejections.size(), 1u);
  EXPECT_EQ(output.rejections[0].reason, RejectionReason::kMayNotControl);
  EXPECT_EQ(output.rejections[0].tick, 2u);
  EXPECT_EQ(output.tick, 1u);
  EXPECT_EQ(output.digest, match->digest());
  EXPECT_THAT(output.events, IsEmpty());
  EXPECT_THAT(match->step().rejections, IsEmpty());
  EXPECT_EQ(match->find_participant(ann.number)->rejections, 1u);
}

}  // namespace
}  // namespace sweepd::match::lockstep_test
