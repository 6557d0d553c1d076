// SPDX-License-Identifier: MIT
//
// Protects operators of a server from loops that stand still unseen, and a process that was only stopped
// for a while from being taken for a broken one.
#include "runtime/loop/loop_watchdog.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <vector>

#include "runtime/telemetry/log.h"

namespace sweepd::runtime::loop_watchdog_test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr TimePoint kBegin{seconds(1000)};

void beat(LoopPulse& pulse, TimePoint now) { pulse.beat(now, now + milliseconds(20)); }

TEST(LoopPulse, KnowsHowLongAgoTheLastPollWas) {
  LoopPulse pulse;
  EXPECT_EQ(pulse.age(kBegin), Duration::zero()) << "it does not run yet";
  beat(pulse, kBegin);
  EXPECT_EQ(pulse.age(kBegin + seconds(3)), seconds(3));
  EXPECT_TRUE(pulse.is_stalled(kBegin + seconds(3)));
  EXPECT_EQ(pulse.age(kBegin - milliseconds(1)), Duration::zero()) << "it polled after the time was read";
  pulse.stop();
  EXPECT_EQ(pulse.age(kBegin + seconds(3)), Duration::zero());
}

TEST(LoopPulse, KeepsTheLongestGapForAMinuteOrTwo) {
  LoopPulse pulse;
  TimePoint now = kBegin;
  beat(pulse, now);
  beat(pulse, now += milliseconds(700));
  EXPECT_EQ(pulse.longest_gap(now), milliseconds(700));
  EXPECT_EQ(pulse.longest_gap(now + seconds(2)), seconds(2)) << "the one that lasts";
  for (int i = 0; i < 59 * 50; ++i) beat(pulse, now += milliseconds(20));
  EXPECT_EQ(pulse.longest_gap(now), milliseconds(700));
  for (int i = 0; i < 121 * 50; ++i) beat(pulse, now += milliseconds(20));
  EXPECT_EQ(pulse.longest_gap(now), milliseconds(20));
}

TEST(LoopPulse, CountsHowOftenTheLoopStoodStill) {
  LoopPulse pulse;
  beat(pulse, kBegin);
  beat(pulse, kBegin + milliseconds(999));
  EXPECT_EQ(pulse.stalls(), 0u);
  beat(pulse, kBegin + milliseconds(1999));
  beat(pulse, kBegin + seconds(14));
  EXPECT_EQ(pulse.stalls(), 2u);
  EXPECT_EQ(pulse.last_stall(), milliseconds(12'001));
}

TEST(LoopPulse, KnowsByHowMuchAPollIsLate) {
  LoopPulse pulse;
  EXPECT_EQ(pulse.overdue(kBegin), Duration::zero()) << "it does not run yet";
  pulse.beat(kBegin, kBegin + milliseconds(15));
  EXPECT_EQ(pulse.overdue(kBegin + milliseconds(15)), Duration::zero());
  EXPECT_EQ(pulse.overdue(kBegin + milliseconds(22)), milliseconds(7));
  pulse.beat(kBegin + milliseconds(23), kBegin + milliseconds(24));
  EXPECT_EQ(pulse.overdue(kBegin + milliseconds(23)), Duration::zero());
  pulse.poll_ends();
  EXPECT_EQ(pulse.overdue(kBegin + seconds(3)), Duration::zero()) << "what the loop does else is no poll";
}

class Watchdog : public ::testing::Test {
 protected:
  Watchdog() {
    poll(2);
    watchdog_.emplace(std::vector<const LoopPulse*>{&pulses_[0], &pulses_[1]}, &health_,
                      WatchdogClocks{.steady = [this] { return now_; }, .boot = [this] { return boot_; }});
  }

  /// Time passes, in which the watchdog looks as it should and the first `loops` poll as they should.
  void pass(Duration time, std::size_t loops = 2) {
    for (Duration passed{}; passed < time; passed += LoopWatchdog::kPeriod) {
      now_ += LoopWatchdog::kPeriod;
      boot_ += LoopWatchdog::kPeriod;
      poll(loops);
      watchdog_->look();
    }
  }

  void poll(std::size_t loops) {
    for (std::size_t loop = 0; loop < loops; ++loop) beat(pulses_[loop], now_);
  }

  ComponentHealth loops_part() const { return *health_.find("loops"); }

  Health health_;
  TimePoint now_ = kBegin;
  TimePoint boot_ = kBegin + seconds(77);
  LoopPulse pulses_[2];
  std::optional<LoopWatchdog> watchdog_;
};

TEST_F(Watchdog, LoopsThatPollAreWell) {
  EXPECT_TRUE(loops_part().is_ok());
  pass(seconds(100));
  EXPECT_TRUE(loops_part().is_ok());
  EXPECT_EQ(watchdog_->process_stalls(), 0u);
}

TEST_F(Watchdog, ALoopThatStandsStillMakesTheServerNotReadyAndLaterNotAlive) {
  pass(milliseconds(750), 1);
  EXPECT_TRUE(loops_part().is_ok());
  pass(seconds(1), 1);
  EXPECT_EQ(loops_part().failure, "loop 1 has stood still for more than 1 s");
  EXPECT_EQ(loops_part().impact, Impact::kNotReady);
  EXPECT_FALSE(health_.is_ready());
  pass(seconds(10), 1);
  EXPECT_EQ(loops_part().failure, "loop 1 has stood still for more than 10 s");
  EXPECT_EQ(loops_part().impact, Impact::kNotAlive);
  pass(milliseconds(250));
  EXPECT_TRUE(loops_part().is_ok());
  EXPECT_TRUE(health_.is_ready());
}

TEST_F(Watchdog, TheWorstOfSeveralLoopsDecides) {
  pass(seconds(10), 1);
  pass(seconds(2), 0);
  EXPECT_EQ(loops_part().failure,
            "loop 0 has stood still for more than 1 s; loop 1 has stood still for more than 10 s");
  EXPECT_EQ(loops_part().impact, Impact::kNotAlive);
}

TEST_F(Watchdog, AProcessThatWasStoppedIsToldAndNoLoopIsBlamed) {
  pass(seconds(5));
  now_ += seconds(30);
  boot_ += seconds(30);
  watchdog_->look();  // Before any loop has polled again.
  EXPECT_TRUE(loops_part().is_ok());
  EXPECT_EQ(watchdog_->process_stalls(), 1u);
  EXPECT_NEAR(watchdog_->process_stall_seconds(), 29.75, 0.01);
  pass(milliseconds(1250), 1);
  EXPECT_FALSE(loops_part().is_ok()) << "but one that does not go on with it is";
}

TEST_F(Watchdog, ASuspendedMachineIsToldThoughItsMonotonicClockStoodStill) {
  std::vector<std::string> lines;
  {
    const Log log({.write = [&lines](std::string_view line) { lines.emplace_back(line); }});
    boot_ += seconds(3600);
    pass(LoopWatchdog::kPeriod);
  }
  EXPECT_EQ(watchdog_->process_stalls(), 1u);
  EXPECT_THAT(lines, ElementsAre(HasSubstr("stood_still_ms=3600000 suspended_ms=3600000")));
}

TEST_F(Watchdog, TellsTheLogWhichLoopStandsStillAndForHowLongItDid) {
  std::vector<std::string> lines;
  {
    const Log log({.write = [&lines](std::string_view line) { lines.emplace_back(line); }});
    pass(seconds(12), 1);
    pass(seconds(1));
  }
  EXPECT_THAT(lines, ElementsAre(HasSubstr("[error] a loop stands still: its matches do not tick loop=1"),
                                 HasSubstr("[error] a loop stands still"),
                                 HasSubstr("[warning] the loop goes on loop=1 stood_still_ms=12250")));
}

}  // namespace
}  // namespace sweepd::runtime::loop_watchdog_test
