// SPDX-License-Identifier: MIT
//
// Protects the rhythm of matches: no drift, phases spread, no tick skipped, a stall made up for only in part,
// and cheap ticks kept from waiting for expensive ones.
#include "runtime/loop/tick_schedule.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <deque>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace sweepd::runtime::tick_schedule_test {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using std::chrono::seconds;

const TimePoint kEpoch{std::chrono::hours(1)};

/// A clock that stands still.
Clock at(TimePoint time) {
  return [time] { return time; };
}

/// Jumps from due time to due time up to `end`, as a loop that is never late.
void run_until(TickSchedule& schedule, TimePoint end) {
  while (schedule.next_due() && *schedule.next_due() <= end) schedule.run_due(at(*schedule.next_due()));
}

TEST(TickSchedule, RunsExactlyTheRateEachSecondWithoutDrift) {
  for (const std::uint32_t rate_hz : {1u, 7u, 60u, 144u, 240u}) {
    TickSchedule schedule(kEpoch);
    std::uint64_t ticks = 0;
    schedule.add(rate_hz, kEpoch, [&ticks] { ++ticks; });
    const TimePoint first = *schedule.next_due();
    run_until(schedule, first + seconds(1000) - nanoseconds(1));
    EXPECT_EQ(ticks, 1000u * rate_hz);
    EXPECT_EQ(*schedule.next_due(), first + seconds(1000));
  }
}

TEST(TickSchedule, RunsTheFirstTickWithinOneInterval) {
  TickSchedule schedule(kEpoch);
  const TimePoint now = kEpoch + milliseconds(12'345);
  for (int i = 0; i < 40; ++i) {
    const TickerId id = schedule.add(50, now, [] {});
    EXPECT_GT(*schedule.next_due(), now);
    EXPECT_LE(*schedule.next_due(), now + milliseconds(20));
    schedule.remove(id);
  }
}

TEST(TickSchedule, SpreadsSixteenMatchesOverSixteenPhases) {
  TickSchedule schedule(kEpoch);
  std::set<TimePoint> due_times;
  for (std::uint32_t i = 0; i < kPhaseGroups; ++i) {
    const TickerId id = schedule.add(50, kEpoch, [] {});
    due_times.insert(*schedule.next_due());
    schedule.remove(id);
  }
  ASSERT_EQ(due_times.size(), kPhaseGroups);
  EXPECT_EQ(*due_times.rbegin() - *due_times.begin(),
            Duration(milliseconds(20)) * (kPhaseGroups - 1) / kPhaseGroups);
}

TEST(TickSchedule, CatchesUpAfterAShortStall) {
  TickSchedule schedule(kEpoch);
  int ticks = 0;
  schedule.add(100, kEpoch, [&ticks] { ++ticks; });
  const TimePoint first = *schedule.next_due();
  schedule.run_due(at(first + milliseconds(25)));
  EXPECT_EQ(ticks, 3) << "at 0, 10 and 20 ms";
  EXPECT_EQ(*schedule.next_due(), first + milliseconds(30));
}

TEST(TickSchedule, SkipsWhatALongStallMissedBeyondAFewTicksAndSaysHowMany) {
  for (const Duration stall : {Duration(seconds(5)), Duration(std::chrono::hours(100))}) {
    TickSchedule schedule(kEpoch);
    int ticks = 0;
    std::uint64_t skipped = 0;
    schedule.add(100, kEpoch, [&] {
      ++ticks;
      skipped += schedule.running().skipped;
    });
    const TimePoint first = *schedule.next_due();
    schedule.run_due(at(first + stall + milliseconds(3)));
    EXPECT_EQ(ticks, static_cast<int>(1 + kCatchUpTicksMax)) << "the one that was due, and those beside it";
    EXPECT_EQ(*schedule.next_due(), first + stall + milliseconds(10)) << "the phase stays";
    run_until(schedule, first + stall + seconds(1));
    EXPECT_EQ(ticks, static_cast<int>(1 + kCatchUpTicksMax) + 100);
    EXPECT_EQ(static_cast<std::uint64_t>(ticks) + skipped,
              static_cast<std::uint64_t>(stall / milliseconds(10)) + 101)
        << "every tick that was due has run, or has been skipped";
  }
}

TEST(TickSchedule, MakesUpForAsManyTicksAsItWasToldAndNoMore) {
  for (const std::uint32_t catch_up_ticks_max : {0u, 1u, 7u, kCatchUpTicksMaxMax}) {
    TickSchedule schedule(kEpoch, catch_up_ticks_max);
    std::uint32_t ticks = 0;
    schedule.add(100, kEpoch, [&ticks] { ++ticks; });
    schedule.run_due(at(*schedule.next_due() + seconds(5)));
    EXPECT_EQ(ticks, 1 + catch_up_ticks_max);
  }
}

TEST(TickSchedule, TellsATickWhenItWasDue) {
  TickSchedule schedule(kEpoch);
  std::vector<TimePoint> due;
  schedule.add(100, kEpoch, [&] { due.push_back(schedule.running().due); });
  const TimePoint first = *schedule.next_due();
  schedule.run_due(at(first + milliseconds(12)));
  schedule.run_due(at(first + milliseconds(29)));
  EXPECT_EQ(due, (std::vector{first, first + milliseconds(10), first + milliseconds(20)}));
}

TEST(TickSchedule, DoesNotCatchUpWithTicksThatTakeLongerThanTheirInterval) {
  TickSchedule schedule(kEpoch);
  TimePoint now = kEpoch;
  int ticks = 0;
  schedule.add(100, now, [&] {
    ++ticks;
    now += milliseconds(15);
  });
  const TimePoint first = *schedule.next_due();
  now = first;
  const Clock clock = [&now] { return now; };
  schedule.run_due(clock);
  EXPECT_EQ(ticks, 1);
  schedule.run_due(clock);
  EXPECT_EQ(ticks, 2) << "due since 5 ms";
  now += milliseconds(10);
  schedule.run_due(clock);
  EXPECT_EQ(ticks, 3) << "two are due, and only one is run";
  EXPECT_GT(*schedule.next_due(), now - milliseconds(15));
}

TEST(TickSchedule, RunsWhatIsDueEarliestFirst) {
  TickSchedule schedule(kEpoch);
  std::vector<int> order;
  for (int i = 0; i < 3; ++i) {
    schedule.add(10, kEpoch + milliseconds(1) * i, [&order, i] { order.push_back(i); });
  }
  // Phases of the first three are 7, 14 and 5 sixteenths.
  schedule.run_due(at(kEpoch + milliseconds(100)));
  EXPECT_EQ(order, (std::vector<int>{2, 0, 1}));
}

TEST(TickSchedule, ATickMayRemoveItselfAndOthers) {
  TickSchedule schedule(kEpoch);
  int first_ticks = 0;
  int second_ticks = 0;
  TickerId first = 0;
  TickerId second = 0;
  first = schedule.add(10, kEpoch, [&] {
    ++first_ticks;
    schedule.remove(second);
    schedule.remove(first);
  });
  second = schedule.add(10, kEpoch, [&] { ++second_ticks; });
  schedule.run_due(at(kEpoch + seconds(1)));
  EXPECT_EQ(first_ticks, 1);
  EXPECT_EQ(second_ticks, 0);
  EXPECT_FALSE(schedule.next_due());
}

TEST(TickSchedule, AnAlarmRunsOnceForEachTimeThatIsSet) {
  TickSchedule schedule(kEpoch);
  int ticks = 0;
  const TickerId alarm = schedule.add_alarm([&ticks] { ++ticks; });
  EXPECT_FALSE(schedule.next_due()) << "not set";
  schedule.set_alarm(alarm, kEpoch + milliseconds(5));
  schedule.set_alarm(alarm, kEpoch + milliseconds(9));
  schedule.run_due(at(kEpoch + milliseconds(8)));
  EXPECT_EQ(ticks, 0) << "put off";
  EXPECT_EQ(*schedule.next_due(), kEpoch + milliseconds(9));
  schedule.run_due(at(kEpoch + seconds(5)));
  EXPECT_EQ(ticks, 1);
  EXPECT_FALSE(schedule.next_due());
}

TEST(TickSchedule, AnAlarmMaySetOrRemoveItselfWhileItRuns) {
  TickSchedule schedule(kEpoch);
  int ticks = 0;
  TickerId alarm = 0;
  alarm = schedule.add_alarm([&] {
    schedule.set_alarm(alarm, kEpoch + milliseconds(10) * ++ticks);
    if (ticks == 3) schedule.remove(alarm);
  });
  schedule.set_alarm(alarm, kEpoch);
  run_until(schedule, kEpoch + seconds(1));
  EXPECT_EQ(ticks, 3);
  EXPECT_FALSE(schedule.next_due());
}

TEST(TickSchedule, AnAlarmThatIsRemovedDoesNotRun) {
  TickSchedule schedule(kEpoch);
  int ticks = 0;
  const TickerId alarm = schedule.add_alarm([&ticks] { ++ticks; });
  schedule.set_alarm(alarm, kEpoch);
  schedule.remove(alarm);
  schedule.remove(schedule.add_alarm([] {}));
  schedule.run_due(at(kEpoch + seconds(1)));
  EXPECT_EQ(ticks, 0);
}

TEST(TickSchedule, ANewRateCountsFromTheLastTick) {
  TickSchedule schedule(kEpoch);
  const TickerId id = schedule.add(100, kEpoch, [] {});
  const TimePoint last = *schedule.next_due();
  schedule.run_due(at(last));
  schedule.set_rate(id, 20, last + milliseconds(3));
  EXPECT_EQ(*schedule.next_due(), last + milliseconds(50));
  schedule.set_rate(id, 200, last + milliseconds(4));
  EXPECT_EQ(*schedule.next_due(), last + milliseconds(5));
  schedule.set_rate(id, 10, last + milliseconds(4));
  schedule.set_rate(id, 200, last + milliseconds(30));
  EXPECT_EQ(*schedule.next_due(), last + milliseconds(30)) << "at once, and nothing before now";
}

TEST(TickSchedule, ATickMayAddOthers) {
  TickSchedule schedule(kEpoch);
  int ticks = 0;
  schedule.add(10, kEpoch, [&] {
    for (int i = 0; i < 100; ++i) schedule.add(10, kEpoch + seconds(1), [&ticks] { ++ticks; });
  });
  schedule.run_due(at(*schedule.next_due()));
  schedule.run_due(at(kEpoch + milliseconds(999)));
  EXPECT_EQ(ticks, 0);
  run_until(schedule, kEpoch + milliseconds(1100));
  EXPECT_GE(ticks, 100);
}

TEST(TickSchedule, WhatMovesToAnotherScheduleIsDueThereWhenItWasDueHere) {
  std::array<TickSchedule, 2> schedules{TickSchedule(kEpoch), TickSchedule(kEpoch + milliseconds(3))};
  std::vector<TimePoint> dues;
  std::size_t here = 0;
  TickerId id = schedules[0].add(60, kEpoch, [&] { dues.push_back(schedules[here].running().due); });
  const TimePoint first = *schedules[0].next_due();
  for (int i = 0; i < 600; ++i) {
    EXPECT_EQ(schedules[1 - here].next_due(), std::nullopt);
    run_until(schedules[here], *schedules[here].next_due() + milliseconds(i % 40));
    id = schedules[here].move(id, schedules[1 - here]);
    here = 1 - here;
  }
  for (std::size_t i = 0; i < dues.size(); ++i) {
    EXPECT_EQ(dues[i], first + nanoseconds(1'000'000'000ull * i / 60));
  }
}

TEST(TickSchedule, AnAlarmMovesWithItsTimeAndOneThatIsNotSetStaysSilent) {
  TickSchedule here(kEpoch);
  TickSchedule there(kEpoch);
  int rings = 0;
  TickerId id = here.move(here.add_alarm([&rings] { ++rings; }), there);
  EXPECT_EQ(there.next_due(), std::nullopt);
  there.set_alarm(id, kEpoch + seconds(5));
  id = there.move(id, here);
  EXPECT_EQ(here.next_due(), kEpoch + seconds(5));
  run_until(here, kEpoch + seconds(10));
  EXPECT_EQ(rings, 1);
  here.remove(id);
}

/// Tickers at 60 Hz whose ticks take the time that they are told to, on a loop that does nothing else.
class CrowdedSchedule {
 public:
  struct Crowded {
    Duration cost;
    int ticks = 0;
    std::uint64_t skipped = 0;
    std::vector<Duration> lateness = {};
  };

  Crowded& add(Duration cost) {
    Crowded& one = all_.emplace_back(Crowded{.cost = cost});
    schedule_.add(60, now_, [this, &one] {
      ++one.ticks;
      one.skipped += schedule_.running().skipped;
      one.lateness.push_back(now_ - schedule_.running().due);
      now_ += one.cost;
    });
    return one;
  }

  void run_for(Duration time) {
    const TimePoint end = now_ + time;
    while (now_ < end) {
      now_ = std::max(now_, *schedule_.next_due());
      const TimePoint begin = now_;
      schedule_.run_due([this] { return now_; });
      walk_longest_ = std::max(walk_longest_, now_ - begin);
    }
  }

  /// Without the network between.
  Duration walk_longest() const { return walk_longest_; }

 private:
  TimePoint now_ = kEpoch;
  TickSchedule schedule_{kEpoch};
  std::deque<Crowded> all_;
  Duration walk_longest_{};
};

Duration latest(const std::vector<Duration>& lateness) { return *std::ranges::max_element(lateness); }

TEST(TickSchedule, ManyExpensiveTickersMakeACheapOneLateByOneTickOfThem) {
  for (const int expensive : {1, 4, 40}) {
    CrowdedSchedule schedule;
    for (int i = 0; i < expensive; ++i) schedule.add(milliseconds(3));
    auto& cheap = schedule.add(std::chrono::microseconds(50));
    schedule.run_for(seconds(1));  // What they cost is known by then.
    cheap.lateness.clear();
    cheap.skipped = 0;
    schedule.run_for(seconds(10));
    EXPECT_LE(latest(cheap.lateness), milliseconds(3)) << expensive;
    EXPECT_GE(cheap.lateness.size(), 599u) << expensive;
    EXPECT_EQ(cheap.skipped, 0u) << expensive;
    EXPECT_LE(schedule.walk_longest(), milliseconds(5)) << "then the network has its turn";
  }
}

TEST(TickSchedule, TickersThatCostTheSameShareALoopThatHasTooMuchToDo) {
  CrowdedSchedule schedule;
  std::vector<const CrowdedSchedule::Crowded*> all;
  for (int i = 0; i < 20; ++i) all.push_back(&schedule.add(milliseconds(3)));
  schedule.run_for(seconds(10));
  for (const auto* one : all) EXPECT_NEAR(one->ticks, 10'000 / 3 / 20, 10) << "turn by turn";
}

TEST(TickSchedule, OneSlowTickMakesNoTickerAnExpensiveOne) {
  CrowdedSchedule schedule;
  for (int i = 0; i < 8; ++i) schedule.add(milliseconds(3));
  auto& cheap = schedule.add(std::chrono::microseconds(50));
  schedule.run_for(seconds(1));
  cheap.cost = milliseconds(20);
  for (const int before = cheap.ticks; cheap.ticks == before;) schedule.run_for(milliseconds(1));
  cheap.cost = std::chrono::microseconds(50);
  schedule.run_for(milliseconds(100));  // What became due in the 20 ms.
  cheap.lateness.clear();
  schedule.run_for(seconds(1));
  EXPECT_LE(latest(cheap.lateness), milliseconds(3));
}

TEST(TickSchedule, PreparesATickerOnceBeforeTheTicksThatAreDueAtOnce) {
  TickSchedule schedule(kEpoch);
  std::vector<std::string> done;
  schedule.add(50, kEpoch, [&] { done.emplace_back("tick"); }, [&] { done.emplace_back("prepare"); });
  schedule.run_due(at(*schedule.next_due() + milliseconds(41)));
  EXPECT_EQ(done, (std::vector<std::string>{"prepare", "tick", "tick", "tick"}));
  schedule.run_due(at(*schedule.next_due()));
  EXPECT_EQ(done.size(), 6u);
}

TEST(TickSchedule, LetsATickerDoAnythingWithItselfWhileItIsPrepared) {
  TickSchedule schedule(kEpoch);
  int ticks = 0;
  TickerId id = 0;
  const auto tick = [&] { ++ticks; };
  id = schedule.add(50, kEpoch, tick, [&] { schedule.remove(id); });
  schedule.run_due(at(*schedule.next_due()));
  EXPECT_EQ(ticks, 0);
  EXPECT_EQ(schedule.next_due(), std::nullopt);
  id = schedule.add(50, kEpoch, tick, [&] { schedule.set_rate(id, 1, *schedule.next_due()); });
  const TimePoint due = *schedule.next_due();
  schedule.run_due(at(due));
  EXPECT_EQ(ticks, 0) << "it is due later now";
  EXPECT_GT(*schedule.next_due(), due);
  schedule.remove(id);
  std::optional<TickerId> next;
  id = schedule.add(50, kEpoch, tick, [&] {
    schedule.remove(id);
    next = schedule.add(50, *schedule.next_due(), tick);
  });
  // Another is due at the same time, so that the walk goes on.
  const TickerId other = schedule.add(50, kEpoch, [] {});
  run_until(schedule, *schedule.next_due() + milliseconds(200));
  ASSERT_TRUE(next);
  EXPECT_GT(ticks, 0);
  schedule.remove(*next);
  schedule.remove(other);
}

}  // namespace
}  // namespace sweepd::runtime::tick_schedule_test
