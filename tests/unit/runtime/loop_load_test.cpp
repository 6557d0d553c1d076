// SPDX-License-Identifier: MIT
//
// Protects the door of a server: it closes when a loop has had too much to do for a while, and neither for
// one hiccup nor on a server that does nothing; and further matches go where there is room.
#include "runtime/loop/loop_load.h"

#include <gtest/gtest.h>

#include <vector>

namespace sweepd::runtime::loop_load_test {
namespace {

using std::chrono::hours;
using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::seconds;

class LoopLoadTest : public ::testing::Test {
 protected:
  /// Seconds of rounds of 10 ms, with a tick in each.
  void run(int seconds_long, int busy_percent, Duration lateness = {}, int on_core_percent = 0) {
    for (int round = 0; round < 100 * seconds_long; ++round) {
      now_ += milliseconds(10);
      cpu_ += microseconds(100) * on_core_percent;
      load_.has_waited(microseconds(100) * (100 - busy_percent));
      load_.tick_begins(lateness);
      load_.round_begins(now_);
    }
  }
  /// The same; slices of long work take all the time in which the loop would wait.
  void run_slices(int seconds_long, int busy_percent, Duration lateness) {
    for (int round = 0; round < 100 * seconds_long; ++round) {
      const Duration busy = microseconds(100) * busy_percent;
      now_ += busy;
      load_.slice_begins(now_);
      now_ += milliseconds(10) - busy;
      cpu_ += milliseconds(10) - busy;
      load_.slice_ends(now_);
      cpu_ += busy;
      load_.tick_begins(lateness);
      load_.round_begins(now_);
    }
  }
  bool is_overloaded() const { return load_.reading().is_overloaded; }

  void SetUp() override { load_.round_begins(now_); }

  TimePoint now_{seconds(1000)};
  Duration cpu_{};
  LoopLoad load_{{}, [this] { return cpu_; }};
};

TEST_F(LoopLoadTest, KnowsNothingBeforeTheFirstSecondIsOver) {
  EXPECT_EQ(load_.reading().windows, 0u);
  EXPECT_FALSE(is_overloaded());
}

TEST_F(LoopLoadTest, IsBusyWhenItDoesNotWait) {
  run(1, 40);
  EXPECT_NEAR(load_.reading().busy_ratio, 0.4, 0.001);
  EXPECT_EQ(load_.reading().windows, 1u);
}

TEST_F(LoopLoadTest, IsBusyWhenThePollerWorksInPlaceOfWaiting) {
  run(1, 10, {}, 70);
  EXPECT_NEAR(load_.reading().busy_ratio, 0.7, 0.001);
}

TEST_F(LoopLoadTest, WhatTakesTheTimeThatNobodyElseWantsIsNoOverload) {
  run_slices(10, 20, {});
  EXPECT_NEAR(load_.reading().busy_ratio, 0.2, 0.001);
  EXPECT_FALSE(is_overloaded());
  run(3, 90);
  EXPECT_TRUE(is_overloaded()) << "what matches take counts as before";
}

TEST_F(LoopLoadTest, WhatTakesTheTimeThatOthersWantIsSeenByTheirLateness) {
  run_slices(3, 1, milliseconds(20));
  EXPECT_TRUE(is_overloaded());
}

TEST_F(LoopLoadTest, ThatLastsIsAnOverload) {
  run(2, 90);
  EXPECT_FALSE(is_overloaded());
  run(1, 90);
  EXPECT_TRUE(is_overloaded());
  run(60, 90);
  EXPECT_TRUE(is_overloaded());
  run(1, 80);
  EXPECT_FALSE(is_overloaded());
}

TEST_F(LoopLoadTest, TicksThatAreLateForLongAreAnOverload) {
  run(10, 50, milliseconds(6));
  EXPECT_FALSE(is_overloaded());
  run(3, 50, milliseconds(20));
  EXPECT_TRUE(is_overloaded());
  EXPECT_GE(load_.reading().lateness_p99, milliseconds(17));
}

TEST_F(LoopLoadTest, OneHiccupIsNoneHoweverLong) {
  run(5, 60);
  for (const Duration stall : {Duration(milliseconds(300)), Duration(seconds(30)), Duration(hours(10))}) {
    now_ += stall;  // Not one moment of it in the poller.
    for (int tick = 0; tick < 500; ++tick) load_.tick_begins(stall);
    load_.round_begins(now_);
    EXPECT_FALSE(is_overloaded());
    run(2, 60);
    EXPECT_FALSE(is_overloaded());
  }
}

TEST_F(LoopLoadTest, HiccupsThatComeAndGoAreNone) {
  for (int i = 0; i < 20; ++i) {
    run(2, 100, seconds(1));
    run(1, 50);
    EXPECT_FALSE(is_overloaded());
  }
}

TEST_F(LoopLoadTest, AnIdleLoopIsNotOverloadedByTicksThatOthersMakeLate) {
  run(60, 5, seconds(1));
  EXPECT_FALSE(is_overloaded());
}

TEST_F(LoopLoadTest, IsNeverOverloadedWhereThatIsAsked) {
  LoopLoad load({.busy_percent_max = 100, .lateness_max = Duration::zero()}, [] { return Duration::zero(); });
  load.round_begins(now_);
  for (int second = 1; second < 20; ++second) {
    for (int tick = 0; tick < 100; ++tick) load.tick_begins(seconds(5));
    load.round_begins(now_ + seconds(second));
  }
  EXPECT_EQ(load.reading().busy_ratio, 1);
  EXPECT_FALSE(load.reading().is_overloaded);
}

TEST_F(LoopLoadTest, TellsEachReading) {
  std::vector<double> busy;
  load_.on_reading([&busy](const LoadReading& reading) { busy.push_back(reading.busy_ratio); });
  run(1, 20);
  run(1, 30);
  ASSERT_EQ(busy.size(), 2u);
  EXPECT_NEAR(busy[0], 0.2, 0.001);
  EXPECT_NEAR(busy[1], 0.3, 0.001);
}

TEST(ThreadCpuTime, GoesOnWhileTheThreadWorks) {
  const Duration before = thread_cpu_time();
  std::uint64_t work = 1;
  while (thread_cpu_time() == before) work = work * 3 + 1;
  EXPECT_GT(thread_cpu_time(), before) << work;
}

std::size_t choice(const std::vector<LoadReading>& loads, const std::vector<std::size_t>& matches,
                   const std::vector<std::size_t>& new_matches) {
  return least_loaded(loads, matches, new_matches);
}

TEST(LeastLoaded, IsTheLoopThatHasLeastToDo) {
  EXPECT_EQ(choice({{.busy_ratio = 0.7}, {.busy_ratio = 0.2}, {.busy_ratio = 0.5}}, {1, 90, 1}, {0, 0, 0}),
            1u);
}

TEST(LeastLoaded, AmongLoopsThatAreAboutEquallyBusyIsTheOneWithTheFewestMatches) {
  EXPECT_EQ(choice({{.busy_ratio = 0.01}, {.busy_ratio = 0.02}, {.busy_ratio = 0.0}}, {3, 1, 2}, {0, 0, 0}),
            1u);
}

TEST(LeastLoaded, IsNotALoopThatIsOverloadedWhileAnotherIsNot) {
  EXPECT_EQ(choice({{.busy_ratio = 0.3, .is_overloaded = true}, {.busy_ratio = 0.8}}, {1, 100}, {0, 0}), 1u);
}

TEST(LeastLoaded, MatchesThatComeAllAtOnceDoNotAllGoToTheLoopThatWasIdleAMomentAgo) {
  const std::vector<LoadReading> loads{{.busy_ratio = 0.0}, {.busy_ratio = 0.3}};
  std::vector<std::size_t> matches{0, 75};
  std::vector<std::size_t> new_matches{0, 0};
  for (int i = 0; i < 300; ++i) {
    const std::size_t loop = choice(loads, matches, new_matches);
    ++matches[loop];
    ++new_matches[loop];
  }
  EXPECT_NEAR(static_cast<double>(matches[0]), static_cast<double>(matches[1]), 30);
}

}  // namespace
}  // namespace sweepd::runtime::loop_load_test
