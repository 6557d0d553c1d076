// SPDX-License-Identifier: MIT
//
// Protects the openness of an overloaded server: what a match is told of its rate, of how late its ticks are
// and of how many it lost is what happened to it, and no pause is taken for a server that cannot keep up.
#include "runtime/match/tick_timing.h"

#include <gtest/gtest.h>

#include "unit/runtime/match_host_fixture.h"

namespace sweepd::runtime::tick_timing_test {
namespace {

using std::chrono::hours;
using std::chrono::microseconds;

class TickTimingTest : public ::testing::Test {
 protected:
  /// Of 100 Hz.
  void run(int ticks, Duration lateness, Duration duration = microseconds(20)) {
    for (int i = 0; i < ticks; ++i) {
      due_ += milliseconds(10);
      timing_.tick_has_run({due_, due_ + lateness, due_ + lateness + duration});
    }
  }
  /// Within an eighth.
  static void expect_about(Duration time, Duration expected) {
    EXPECT_GE(time, expected - expected / 8);
    EXPECT_LE(time, expected + expected / 8);
  }

  void SetUp() override { timing_.clock_runs(100); }

  TickTiming timing_;
  TimePoint due_{seconds(1000)};
};

TEST(TickTimingMemory, IsAboutAKilobyteAMatch) { EXPECT_LE(sizeof(TickTiming), 1100u); }

TEST_F(TickTimingTest, IsAllZeroBeforeTheFirstTick) {
  const TickTimes times = timing_.times();
  EXPECT_EQ(times.achieved_rate_hz, 0);
  EXPECT_EQ(times.lateness_max, Duration::zero());
  EXPECT_EQ(times.ticks_skipped, 0u);
}

TEST_F(TickTimingTest, TheRateIsExactFromTheFirstTickOn) {
  run(1, {});
  EXPECT_NEAR(timing_.times().achieved_rate_hz, 100, 1e-6);
  run(4999, {});
  EXPECT_NEAR(timing_.times().achieved_rate_hz, 100, 1e-6);
}

TEST_F(TickTimingTest, TellsHowLateTicksAreAndWhatTheyTake) {
  run(980, microseconds(100));
  run(20, milliseconds(3), microseconds(700));
  const TickTimes times = timing_.times();
  expect_about(times.lateness_p50, microseconds(100));
  expect_about(times.lateness_p99, milliseconds(3));
  EXPECT_EQ(times.lateness_max, milliseconds(3));
  expect_about(times.duration_p50, microseconds(20));
  expect_about(times.duration_p99, microseconds(700));
}

TEST_F(TickTimingTest, WhatIsOlderThanTwentySecondsIsForgotten) {
  run(1000, milliseconds(5));
  run(1000, microseconds(10));
  EXPECT_EQ(timing_.times().lateness_max, milliseconds(5)) << "ten to twenty seconds are kept";
  run(1001, microseconds(10));
  EXPECT_EQ(timing_.times().lateness_max, microseconds(10));
}

TEST_F(TickTimingTest, TicksThatComeTooSlowlyShowInTheRate) {
  for (int i = 0; i < 1000; ++i) {
    due_ += milliseconds(20);  // Every second one is skipped.
    timing_.tick_has_run({due_, due_, due_ + microseconds(1), 1});
  }
  EXPECT_NEAR(timing_.times().achieved_rate_hz, 50, 0.5);
  EXPECT_EQ(timing_.times().ticks_skipped, 1000u);
}

TEST_F(TickTimingTest, APauseDoesNotCount) {
  run(300, microseconds(50));
  due_ += hours(3);
  timing_.clock_runs(100);
  run(300, microseconds(50));
  EXPECT_NEAR(timing_.times().achieved_rate_hz, 100, 0.1);
  EXPECT_EQ(timing_.times().lateness_max, microseconds(50));
}

TEST_F(TickTimingTest, ANewRateIsMeasuredByItself) {
  run(500, milliseconds(2));
  timing_.tick_has_run({due_ + milliseconds(10), due_ + milliseconds(10), due_ + milliseconds(10), 3});
  timing_.set_rate(100);
  due_ += seconds(1);
  run(10, {});
  EXPECT_EQ(timing_.times().lateness_max, Duration::zero());
  EXPECT_NEAR(timing_.times().achieved_rate_hz, 100, 1e-6);
  EXPECT_EQ(timing_.times().ticks_skipped, 3u) << "of all the match's time";
}

TEST_F(TickTimingTest, AServerThatStoodStillForHoursHasSpoiltTwentySecondsOfFigures) {
  run(1000, {});
  due_ += hours(5);
  run(1, hours(5));
  EXPECT_LT(timing_.times().achieved_rate_hz, 90);
  EXPECT_EQ(timing_.times().lateness_max, hours(5));
  run(2001, {});
  EXPECT_NEAR(timing_.times().achieved_rate_hz, 100, 0.1);
  EXPECT_EQ(timing_.times().lateness_max, Duration::zero());
}

class TimingOfAMatch : public MatchHostTest {};

TEST_F(TimingOfAMatch, IsThatOfItsTicks) {
  MatchHost& host = create(config_with(match::ClockKind::kRealtime));
  EXPECT_EQ(host.tick_times().achieved_rate_hz, 0);
  run_for(seconds(3));
  EXPECT_NEAR(host.tick_times().achieved_rate_hz, 100, 0.1);
  EXPECT_LE(host.tick_times().lateness_max, milliseconds(1)) << "the test's clock has steps of that";
  EXPECT_EQ(host.tick_times().ticks_skipped, 0u);
}

TEST_F(TimingOfAMatch, PausesAndNewRatesAreNoLoss) {
  MatchHost& host = create(config_with(match::ClockKind::kRealtime));
  run_for(seconds(1));
  host.control_clock({.is_paused = true});
  now_ += hours(1);
  host.control_clock({.is_paused = false});
  run_for(seconds(1));
  EXPECT_NEAR(host.tick_times().achieved_rate_hz, 100, 1);
  EXPECT_LE(host.tick_times().lateness_max, milliseconds(1));
  host.control_clock({.tick_rate_hz = 20});
  run_for(seconds(2));
  EXPECT_NEAR(host.tick_times().achieved_rate_hz, 20, 0.2);
  EXPECT_EQ(host.tick_times().ticks_skipped, 0u);
}

TEST_F(TimingOfAMatch, ALoopThatStoodStillForHoursMakesUpForAFewTicksAndLosesTheOthersOpenly) {
  MatchHost& host = create(config_with(match::ClockKind::kRealtime));
  FakeSubscriber watcher;
  watch(host, watcher);
  run_for(seconds(1));
  ASSERT_EQ(host.match().tick(), 100u);
  now_ += hours(100);
  run_for(milliseconds(1));
  EXPECT_LE(host.match().tick(), 100u + 1 + kCatchUpTicksMax);
  run_for(seconds(1));
  const match::Tick ticks = host.match().tick();
  EXPECT_LE(ticks, 200u + 1 + kCatchUpTicksMax);
  EXPECT_NEAR(static_cast<double>(ticks + host.tick_times().ticks_skipped), 100.0 * (2 + 3600 * 100), 2);
  EXPECT_GE(host.tick_times().lateness_max, hours(99));
  host.leave(watcher);
}

TEST_F(TimingOfAMatch, InLockstepAStandStillCostsOneDeadlineAndNoMore) {
  auto config = config_with(match::ClockKind::kLockstep);
  config.lockstep.deadline_ms = 50;
  MatchHost& host = create(config);
  FakeSubscriber one;
  join(host, one, "one");
  run_for(milliseconds(500));
  const match::Tick tick = host.match().tick();
  now_ += hours(100);
  run_for(milliseconds(2));
  EXPECT_EQ(host.match().tick(), tick + 1);
  host.leave(one);
}

}  // namespace
}  // namespace sweepd::runtime::tick_timing_test
