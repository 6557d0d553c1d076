// SPDX-License-Identifier: MIT
//
// Protects: facts of each kind are kept in the log, counted there, and told to a subscriber. A new one is in
// these tests by being in the table of them.
#include <gtest/gtest.h>

#include "runtime/feed/subscription.h"

namespace sweepd::runtime::facts_test {
namespace {

/// Calls `test(output)` for each kind of facts, with the output of tick 1 that has one of that kind alone.
template <typename Test>
void for_each_single_fact(const Test& test) {
  match::TickFacts facts;
  match::for_each_fact(
      [&](auto& of_kind) {
        of_kind.emplace_back();
        match::TickOutput output{.tick = 1};
        match::for_each_fact([](auto& told, const auto& list) { told = list; }, output, facts);
        test(output);
        of_kind.clear();
      },
      facts);
}

template <typename Told>
std::size_t count_facts(const Told& told) {
  std::size_t count = 0;
  match::for_each_fact([&](const auto& list) { count += list.size(); }, told);
  return count;
}

TEST(Facts, OfEachKindAreKeptAndCounted) {
  for_each_single_fact([](const match::TickOutput& output) {
    EventLog log({.retained_ticks = 3});
    log.append(output);
    ASSERT_EQ(log.tick_count(), 1u);
    ASSERT_NE(log.tick(0).facts, nullptr);
    EXPECT_EQ(count_facts(*log.tick(0).facts), 1u);
    EXPECT_EQ(log.size(), 1u);
  });
}

/// Counts what it is told.
struct FactCounter final : ReportSink {
  void add(const TickReport& report) override { facts += count_facts(report); }
  bool is_full() const override { return false; }
  std::size_t facts = 0;
};

/// How many of them a subscriber with that filter is told.
std::size_t told_facts(const match::TickOutput& output, const EventFilter& filter) {
  match::MatchConfig config;
  config.layers = {"player"};
  const auto match = std::move(*match::Match::create(config));
  EventLog log({.retained_ticks = 3});
  ReportBuffers room;
  const Absences absences;
  const LatestScores scores;
  const ClaimLog claims;
  const ClockState clock;
  const Feed feed{*match, log, absences, scores, claims, clock, room};
  Subscription subscription({.resume = {}, .filter = filter}, feed, {});
  log.append(output);
  FactCounter counter;
  subscription.collect(feed, counter, false);
  return counter.facts;
}

TEST(Facts, OfEachKindAreToldWithAndWithoutAFilter) {
  for_each_single_fact([](const match::TickOutput& output) {
    EXPECT_EQ(told_facts(output, {}), 1u);
    EventFilter exits_only;
    exits_only.enters = false;
    EXPECT_EQ(told_facts(output, exits_only), 1u);
  });
}

}  // namespace
}  // namespace sweepd::runtime::facts_test
