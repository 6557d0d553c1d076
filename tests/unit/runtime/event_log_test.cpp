// SPDX-License-Identifier: MIT
//
// Protects the log that all subscribers of a match share: what is kept for how long, for whom, and never more
// than its bound.
#include "runtime/feed/event_log.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <limits>
#include <set>

#include "base/dice.h"

namespace sweepd::runtime::event_log_test {
namespace {

/// Feeds a log with ticks of so many events each.
class Log {
 public:
  explicit Log(EventLogLimits limits) : log(limits) {}

  /// All that is here has been told everybody, but for what comes after `told`.
  void tick(std::size_t events, match::Tick told = ~match::Tick{0}) {
    std::vector<collision::Event> list(events);
    ++tick_;
    for (collision::Event& event : list) {
      event.sequence_number = ++sequence_number_;
      event.tick = tick_;
    }
    match::TickOutput output;
    output.tick = tick_;
    output.digest = tick_ * 7;
    output.events = list;
    log.append(output);
    log.trim(told);
  }

  EventLog log;

 private:
  match::Tick tick_ = 0;
  std::uint64_t sequence_number_ = 0;
};

TEST(EventLog, KeepsTheRetainedTicksAndNotOneMore) {
  Log fed({.retained_ticks = 5});
  for (int i = 0; i < 10; ++i) fed.tick(1);
  EXPECT_TRUE(fed.log.covers(5)) << "ticks 6 to 10 are five";
  EXPECT_FALSE(fed.log.covers(4));
  EXPECT_EQ(fed.log.forgotten_tick(), 5u);
  EXPECT_EQ(fed.log.size(), 5u);
}

TEST(EventLog, QuietTicksCostNothingAndCountAsTime) {
  Log fed({.retained_ticks = 5});
  fed.tick(3);
  for (int i = 0; i < 4; ++i) fed.tick(0);
  EXPECT_TRUE(fed.log.covers(0));
  EXPECT_EQ(fed.log.tick_count(), 1u);
  fed.tick(0);
  EXPECT_FALSE(fed.log.covers(0));
  EXPECT_TRUE(fed.log.covers(3)) << "nothing has come since, however long ago";
  EXPECT_EQ(fed.log.tick_count(), 0u);
}

TEST(EventLog, KeepsWhatSomebodyHasYetToBeToldButNotForWhoComesBack) {
  Log fed({.retained_ticks = 0});
  fed.tick(1, 0);
  for (int i = 0; i < 20; ++i) fed.tick(1, 2);
  EXPECT_EQ(fed.log.forgotten_sequence_number(), 2u);
  EXPECT_EQ(fed.log.size(), 19u);
  EXPECT_FALSE(fed.log.covers(20));
  EXPECT_TRUE(fed.log.covers(21));
  fed.tick(1);
  EXPECT_EQ(fed.log.tick_count(), 0u);
}

TEST(EventLog, NeverHoldsMoreThanItsBoundWhoeverWaits) {
  Log fed({.retained_ticks = 1000, .events_max = 100});
  for (int i = 0; i < 10; ++i) fed.tick(10, 0);
  EXPECT_TRUE(fed.log.covers(0));
  EXPECT_EQ(fed.log.size(), 100u);
  fed.tick(1, 0);
  EXPECT_FALSE(fed.log.covers(9));
  EXPECT_TRUE(fed.log.covers(10));
  EXPECT_EQ(fed.log.size(), 91u);
}

TEST(EventLog, TheNewestTickIsKeptHoweverLarge) {
  Log fed({.retained_ticks = 10, .events_max = 100});
  fed.tick(1, 0);
  fed.tick(1000, 0);
  EXPECT_EQ(fed.log.size(), 1000u);
  EXPECT_TRUE(fed.log.covers(1));
  EXPECT_EQ(fed.log.sequence_number_before_newest(), 1u);
  fed.tick(1, 0);
  EXPECT_EQ(fed.log.size(), 1u);
}

TEST(EventLog, ANumberThatHasNotComeYetIsNotCovered) {
  Log fed({.retained_ticks = 10});
  fed.tick(3);
  EXPECT_TRUE(fed.log.covers(3));
  EXPECT_FALSE(fed.log.covers(4));
}

/// Events of the widest range, in ticks of none to many.
class WildTicks {
 public:
  std::vector<collision::Event> append_to(EventLog& log) {
    std::vector<collision::Event> events(static_cast<std::size_t>(dice_.between(0, 20)));
    for (collision::Event& event : events) event = draw();
    match::TickOutput output;
    output.tick = ++tick_;
    output.events = events;
    log.append(output);
    return events;
  }

 private:
  std::uint32_t number(std::int32_t max) { return static_cast<std::uint32_t>(dice_.between(0, max)); }
  collision::ObjectId id() {
    const auto top = std::numeric_limits<collision::ObjectId>::max();
    return number(1) == 0 ? number(2000) : top - number(2);
  }
  collision::Event draw() {
    collision::Event event;
    event.sequence_number = ++sequence_number_;
    event.tick = tick_ + 1;
    event.reason = static_cast<collision::ExitReason>(number(12));
    event.kind = event.reason == collision::ExitReason::kNone ? collision::EventKind::kEnter
                                                              : collision::EventKind::kExit;
    event.owners = match::event_owners(number(63), number(63));
    event.key = {id(), id(), static_cast<collision::LayerId>(number(63)),
                 static_cast<collision::LayerId>(number(63))};
    event.parts = {static_cast<std::uint8_t>(number(31)), static_cast<std::uint8_t>(number(31))};
    event.time_of_impact = static_cast<collision::TimeOfImpact>(number(256));
    return event;
  }

  base::Dice dice_{11};
  match::Tick tick_ = 0;
  std::uint64_t sequence_number_ = 0;
};

TEST(EventLog, OlderTicksHaveTheEventsThatTheyHadWhenTheyWereTheNewest) {
  EventLog log({.retained_ticks = 50});
  WildTicks ticks;
  std::deque<std::vector<collision::Event>> expected;
  std::vector<collision::Event> room;
  for (match::Tick tick = 1; tick <= 400; ++tick) {
    const std::vector<collision::Event> events = ticks.append_to(log);
    if (!events.empty()) expected.push_back(events);
    log.trim(tick);
    while (expected.size() > log.tick_count()) expected.pop_front();
    ASSERT_EQ(expected.size(), log.tick_count());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const LoggedTick logged = log.tick(i);
      const auto found = log.events_of(logged, room);
      ASSERT_TRUE(std::ranges::equal(found, expected[i])) << "tick " << logged.tick << " in " << tick;
    }
  }
}

TEST(EventLog, ATickKeepsWhatItBroughtBesideEvents) {
  EventLog log({.retained_ticks = 3});
  for (match::Tick tick = 1; tick <= 6; ++tick) {
    match::Destruction destruction;
    destruction.owner = static_cast<match::ParticipantNumber>(tick);
    match::TickOutput output;
    output.tick = tick;
    output.digest = ~std::uint64_t{tick};
    if (tick != 5) output.destructions = std::span(&destruction, 1);
    log.append(output);
    log.trim(tick);
  }
  ASSERT_EQ(log.tick_count(), 2u) << "of the last three ticks one brought nothing";
  EXPECT_EQ(log.size(), 2u);
  EXPECT_EQ(log.tick(0).tick, 4u);
  EXPECT_EQ(log.tick(0).digest, ~std::uint64_t{4});
  EXPECT_EQ(log.tick(0).event_count, 0u);
  ASSERT_EQ(log.tick(0).facts->destructions.size(), 1u);
  EXPECT_EQ(log.tick(0).facts->destructions[0].owner, 4u);
  EXPECT_EQ(log.newest_tick().facts->destructions[0].owner, 6u);
  EXPECT_EQ(log.first_after(4, 0), 1u);
  EXPECT_EQ(log.first_after(6, 0), 2u);
}

TEST(EventLog, EveryLifeHasAnEpochOfItsOwn) {
  std::set<std::uint64_t> epochs;
  for (int i = 0; i < 100; ++i) epochs.insert(EventLog({}).epoch());
  EXPECT_EQ(epochs.size(), 100u);
  EXPECT_FALSE(epochs.contains(0));
}

}  // namespace
}  // namespace sweepd::runtime::event_log_test
