// SPDX-License-Identifier: MIT
//
// Protects the tick rate that a load test tells: of matches that run, and of one that stopped, whose last
// updates say nothing of it.
#include "tools/load/match_progress.h"

#include <gtest/gtest.h>

namespace sweepd::tools::load::match_progress_test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

TimePoint at(int ms) { return TimePoint(seconds(50)) + milliseconds(ms); }

MatchProgress match(std::uint32_t number, std::uint64_t tick, TimePoint time, std::uint64_t lost = 0) {
  MatchProgress progress;
  progress.number = number;
  progress.tick = tick;
  progress.tick_time = time;
  progress.ticks_lost = lost;
  return progress;
}

TEST(LoadMatchProgress, AMatchRunsFromItsLastUpdateToItsLastUpdate) {
  // Ten seconds between the looks; each came just before an update of which one tells of six ticks.
  const TickRates rates =
      tick_rates({match(1, 60, at(990)), match(2, 66, at(910), 1)},
                 {match(1, 660, at(10'990)), match(2, 666, at(10'910), 4)}, {at(1000), at(11'000)}, 60);
  EXPECT_NEAR(rates.min_hz, 60, 0.001);
  EXPECT_NEAR(rates.mean_hz, 60, 0.001);
  EXPECT_EQ(rates.ticks_lost, 3u);
}

TEST(LoadMatchProgress, OneThatStoppedHalfwayHasHalfTheRate) {
  const TickRates rates =
      tick_rates({match(1, 60, at(1000)), match(2, 60, at(1000))},
                 {match(1, 660, at(11'000)), match(2, 360, at(6000))}, {at(1000), at(11'000)}, 60);
  EXPECT_NEAR(rates.min_hz, 30, 0.001);
  EXPECT_NEAR(rates.mean_hz, 45, 0.001);
}

TEST(LoadMatchProgress, OneOfWhichNothingWasHeardStandsStill) {
  const TickRates rates = tick_rates({match(1, 0, {}), match(2, 0, {})},
                                     {match(1, 0, {}), match(2, 60, at(2000))}, {at(1000), at(2000)}, 60);
  EXPECT_EQ(rates.min_hz, 0);
  EXPECT_NEAR(rates.mean_hz, 30, 0.001);
}

TEST(LoadMatchProgress, OneThatWasAddedMeanwhileDoesNotCount) {
  const TickRates rates =
      tick_rates({match(1, 60, at(1000))}, {match(1, 120, at(2000)), match(2, 3, at(2000), 9)},
                 {at(1000), at(2000)}, 60);
  EXPECT_NEAR(rates.min_hz, 60, 0.001);
  EXPECT_EQ(rates.ticks_lost, 0u);
}

}  // namespace
}  // namespace sweepd::tools::load::match_progress_test
