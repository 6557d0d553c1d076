// SPDX-License-Identifier: MIT
//
// Protects what makes ticks run by frames, deadlines and control: LOCKSTEP ticks as soon as the frames are in
// and at the latest at their deadline, who was late is told, and a match that is paused stands still and goes
// on in rhythm.
#include "runtime/match/match_clock.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/runtime/match_host_fixture.h"

namespace sweepd::runtime::match_clock_test {
namespace {

using match::Role;
using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

match::Frame frame_for(match::Tick tick) {
  match::Frame frame;
  frame.tick = tick;
  return frame;
}

class MatchClockTest : public MatchHostTest {
 protected:
  MatchHost& create_lockstep(std::uint32_t deadline_ms, std::uint32_t start_after = 0) {
    auto config = config_with(match::ClockKind::kLockstep);
    config.lockstep.deadline_ms = deadline_ms;
    config.start_after_participants = start_after;
    config.heartbeat_ticks = 1;
    return create(config);
  }

  void send(MatchHost& host, match::ParticipantNumber number, match::Tick first, match::Tick last) {
    for (match::Tick tick = first; tick <= last; ++tick) host.submit(number, frame_for(tick));
  }
};

TEST_F(MatchClockTest, ATickRunsAsSoonAsEveryFrameIsIn) {
  MatchHost& host = create_lockstep(1000);
  FakeSubscriber one;
  FakeSubscriber two;
  const auto first = join(host, one, "one");
  const auto second = join(host, two, "two", Role::kStage);
  host.submit(first, {});
  run_for(milliseconds(5));
  EXPECT_EQ(host.match().tick(), 0u);
  host.submit(second, {});
  run_for(milliseconds(1));
  EXPECT_EQ(host.match().tick(), 1u);
  EXPECT_THAT(one.ticks, ElementsAre(1));
  EXPECT_THAT(one.late, IsEmpty());
  host.leave(one);
  host.leave(two);
}

TEST_F(MatchClockTest, ADeadlineRunsTheTickAndNamesWhoWasLate) {
  MatchHost& host = create_lockstep(50);
  FakeSubscriber one;
  FakeSubscriber two;
  const auto first = join(host, one, "one");
  const auto second = join(host, two, "two");
  send(host, first, 1, 3);
  run_for(milliseconds(49));
  EXPECT_EQ(host.match().tick(), 0u);
  run_for(milliseconds(1));
  EXPECT_EQ(host.match().tick(), 1u);
  EXPECT_THAT(one.late, ElementsAre(second));
  EXPECT_THAT(two.late, ElementsAre(second)) << "everybody is told";
  run_for(milliseconds(49));
  EXPECT_EQ(host.match().tick(), 1u) << "counted from the tick before";
  run_for(milliseconds(1));
  EXPECT_EQ(host.match().tick(), 2u);
  EXPECT_EQ(host.match().find_participant(second)->frames_missed, 2u);
  EXPECT_EQ(host.match().find_participant(first)->frames_missed, 0u);
  host.leave(one);
  host.leave(two);
}

TEST_F(MatchClockTest, ATickByFramesPutsTheDeadlineOff) {
  MatchHost& host = create_lockstep(50);
  FakeSubscriber one;
  const auto number = join(host, one, "one");
  for (int i = 0; i < 5; ++i) {
    run_for(milliseconds(40));
    host.submit(number, {});
  }
  run_for(milliseconds(49));
  EXPECT_EQ(host.match().tick(), 5u);
  EXPECT_THAT(one.late, IsEmpty());
  run_for(milliseconds(2));
  EXPECT_EQ(host.match().tick(), 6u);
  EXPECT_THAT(one.late, ElementsAre(number));
  host.leave(one);
}

TEST_F(MatchClockTest, AfterADeadlineTicksGoOnByTheFramesThatWait) {
  MatchHost& host = create_lockstep(50);
  FakeSubscriber one;
  const auto number = join(host, one, "one");
  send(host, number, 2, 10);
  run_for(milliseconds(45));
  EXPECT_EQ(host.match().tick(), 0u);
  run_for(milliseconds(7));
  EXPECT_EQ(host.match().tick(), 10u);
  EXPECT_THAT(one.late, ElementsAre(number));
  host.leave(one);
}

TEST_F(MatchClockTest, WithNobodyRequiredTicksRunAtTheirDeadlines) {
  MatchHost& host = create_lockstep(10);
  run_for(milliseconds(105));
  EXPECT_EQ(host.match().tick(), 10u);
}

TEST_F(MatchClockTest, NothingRunsBeforeTheParticipantsThatWereAskedFor) {
  MatchHost& host = create_lockstep(10, 2);
  FakeSubscriber one;
  FakeSubscriber two;
  const auto first = join(host, one, "one");
  const auto second = join(host, two, "two");
  send(host, first, 1, 2);
  run_for(seconds(1));
  EXPECT_EQ(host.state(), MatchState::kWaiting);
  EXPECT_EQ(host.match().tick(), 0u);
  host.submit(second, frame_for(2));
  EXPECT_EQ(host.state(), MatchState::kRunning);
  run_for(milliseconds(9));
  EXPECT_EQ(host.match().tick(), 0u) << "the first deadline counts from the start";
  run_for(milliseconds(2));
  EXPECT_EQ(host.match().tick(), 2u);
  EXPECT_THAT(one.late, ElementsAre(second));
  host.leave(one);
  host.leave(two);
}

TEST_F(MatchClockTest, ATickNoLongerWaitsForOneWhoHasLeft) {
  MatchHost& host = create_lockstep(60'000);
  FakeSubscriber stays;
  FakeSubscriber goes;
  const auto number = join(host, stays, "stays");
  join(host, goes, "goes");
  host.submit(number, {});
  run_for(milliseconds(5));
  EXPECT_EQ(host.match().tick(), 0u);
  host.leave(goes);
  run_for(milliseconds(5));
  EXPECT_EQ(host.match().tick(), 1u);
  host.leave(stays);
}

TEST_F(MatchClockTest, FramesThatWaitAheadRunInSlicesWhileOtherMatchesKeepTime) {
  MatchHost& realtime = create(config_with(match::ClockKind::kRealtime));
  auto config = config_with(match::ClockKind::kLockstep);
  config.max_lead_ticks = 3600;
  MatchHost& host = create(config);
  FakeSubscriber one;
  FakeSubscriber two;
  const auto first = join(host, one, "one");
  const auto second = join(host, two, "two");
  send(host, first, 1, 1000);
  send(host, second, 1, 1000);
  run_for(milliseconds(1));
  EXPECT_GT(host.match().tick(), 0u);
  EXPECT_LT(host.match().tick(), 1000u) << "not all at once";
  run_for(milliseconds(999));
  EXPECT_EQ(host.match().tick(), 1000u + 3u) << "and then by three deadlines of 250 ms";
  EXPECT_EQ(realtime.match().tick(), 100u);
  host.leave(one);
  host.leave(two);
}

TEST_F(MatchClockTest, TicksByFramesWaitForNobodyWhoIsBehind) {
  MatchHost& host = create_lockstep(50);
  FakeSubscriber one;
  const auto number = join(host, one, "one");
  one.behind = true;
  send(host, number, 1, 5);
  run_for(milliseconds(5));
  EXPECT_EQ(host.match().tick(), 5u);
  EXPECT_THAT(one.late, IsEmpty()) << "its frames were in";
  host.leave(one);
}

TEST_F(MatchClockTest, APausedRealtimeMatchStandsStillAndMakesUpForNothing) {
  MatchHost& host = create(config_with(match::ClockKind::kRealtime));
  run_for(milliseconds(500));
  EXPECT_EQ(host.match().tick(), 50u);
  host.control_clock({.is_paused = true});
  EXPECT_EQ(host.state(), MatchState::kPaused);
  run_for(seconds(2));
  EXPECT_EQ(host.match().tick(), 50u);
  host.control_clock({.is_paused = false});
  EXPECT_EQ(host.state(), MatchState::kRunning);
  EXPECT_EQ(host.match().tick(), 50u);
  run_for(milliseconds(500));
  EXPECT_EQ(host.match().tick(), 100u);
}

TEST_F(MatchClockTest, SubscribersAreToldOfAChangeAtOnceAndOfNoneOtherwise) {
  MatchHost& host = create(config_with(match::ClockKind::kManual));
  FakeSubscriber watcher;
  watch(host, watcher);
  host.control_clock({.is_paused = true});
  EXPECT_THAT(watcher.ticks, ElementsAre(0)) << "of the tick before";
  EXPECT_THAT(watcher.clocks, ElementsAre(ClockState{true, 100}));
  host.control_clock({.is_paused = true});
  host.control_clock({.tick_rate_hz = 100});
  EXPECT_EQ(watcher.clocks.size(), 1u);
  host.control_clock({.is_paused = false, .tick_rate_hz = 30});
  EXPECT_EQ(watcher.clocks.back(), (ClockState{false, 30}));
  host.leave(watcher);
}

TEST_F(MatchClockTest, APausedMatchTakesFramesAndAppliesThemInTheirTicks) {
  MatchHost& host = create_lockstep(50);
  FakeSubscriber one;
  const auto number = join(host, one, "one");
  host.control_clock({.is_paused = true});
  send(host, number, 1, 121);
  run_for(seconds(1));
  EXPECT_EQ(host.match().tick(), 0u);
  host.submit(number, frame_for(122));
  EXPECT_EQ(one.rejections, 1u) << "past max_lead_ticks, and told although no tick runs";
  host.control_clock({.is_paused = false});
  run_for(milliseconds(20));
  EXPECT_EQ(host.match().tick(), 121u);
  EXPECT_THAT(one.late, IsEmpty());
  host.leave(one);
}

TEST_F(MatchClockTest, AfterAPauseADeadlineCountsAnew) {
  MatchHost& host = create_lockstep(50);
  run_for(milliseconds(40));
  host.control_clock({.is_paused = true});
  run_for(milliseconds(100));
  host.control_clock({.is_paused = false});
  run_for(milliseconds(49));
  EXPECT_EQ(host.match().tick(), 0u);
  run_for(milliseconds(2));
  EXPECT_EQ(host.match().tick(), 1u);
}

TEST_F(MatchClockTest, AMatchPausedBeforeItsStartWaitsForBoth) {
  MatchHost& host = create_lockstep(10, 1);
  FakeSubscriber one;
  const auto number = join(host, one, "one");
  host.control_clock({.is_paused = true});
  host.submit(number, {});
  run_for(milliseconds(100));
  EXPECT_EQ(host.match().tick(), 0u);
  host.control_clock({.is_paused = false});
  run_for(milliseconds(1));
  EXPECT_EQ(host.match().tick(), 1u);
  host.leave(one);
}

TEST_F(MatchClockTest, StepsOfAPausedMatchFail) {
  MatchHost& host = create(config_with(match::ClockKind::kManual));
  step(host, 1, true);
  step(host, 100'000);
  run_for(milliseconds(2));
  const match::Tick tick = host.match().tick();
  EXPECT_GT(tick, 0u);
  host.control_clock({.is_paused = true});
  step(host, 1);
  ASSERT_EQ(answers_.size(), 3u);
  for (const auto& answer : answers_) EXPECT_EQ(answer.error(), StepError::kMatchPaused);
  run_for(milliseconds(10));
  EXPECT_EQ(host.match().tick(), tick) << "what had run stays run, and no more";
  host.control_clock({.is_paused = false});
  step(host, 1);
  run_for(milliseconds(2));
  EXPECT_EQ(answers_.at(3)->tick, tick + 1);
}

TEST_F(MatchClockTest, ANewRateHoldsFromTheNextTickOn) {
  MatchHost& host = create(config_with(match::ClockKind::kRealtime));
  run_for(seconds(1));
  EXPECT_EQ(host.match().tick(), 100u);
  host.control_clock({.tick_rate_hz = 20});
  run_for(seconds(1));
  EXPECT_EQ(host.match().tick(), 120u);
  host.control_clock({.tick_rate_hz = 200});
  run_for(seconds(1));
  EXPECT_NEAR(static_cast<double>(host.match().tick()), 320, 1);
}

TEST_F(MatchClockTest, WhoHasNotTheRightIsRefusedAndTheClockRunsOn) {
  MatchHost& host = create(config_with(match::ClockKind::kRealtime));
  FakeSubscriber player;
  FakeSubscriber stage;
  const auto player_number = join(host, player, "player");
  const auto stage_number = join(host, stage, "stage", Role::kStage);
  host.control_clock(player_number, {.is_paused = true});
  EXPECT_EQ(host.state(), MatchState::kRunning);
  run_for(milliseconds(20));
  EXPECT_EQ(player.rejections, 1u);
  EXPECT_EQ(host.match().find_participant(player_number)->rejections, 1u);
  host.control_clock(stage_number, {.is_paused = true});
  EXPECT_EQ(host.state(), MatchState::kPaused);
  host.control_clock(player_number, {.is_paused = false});
  EXPECT_EQ(host.state(), MatchState::kPaused);
  EXPECT_EQ(player.rejections, 2u) << "told at once";
  EXPECT_EQ(stage.rejections, 0u);
  host.leave(player);
  host.leave(stage);
}

TEST_F(MatchClockTest, APausedMatchThatNobodyFollowsEndsAllTheSame) {
  ResidentMatches impatient(loop_, registry_, milliseconds(1));
  const MatchPlace place = *registry_.add();
  MatchHost& host =
      impatient.add(place.id, std::move(*match::Match::create(config_with(match::ClockKind::kLockstep))));
  host.control_clock({.is_paused = true});
  const auto deadline = std::chrono::steady_clock::now() + seconds(30);
  while (registry_.find(place.id) && std::chrono::steady_clock::now() < deadline) run_for(milliseconds(1));
  EXPECT_FALSE(registry_.find(place.id));
}

}  // namespace
}  // namespace sweepd::runtime::match_clock_test
