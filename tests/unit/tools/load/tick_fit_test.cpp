// SPDX-License-Identifier: MIT
//
// Protects what is called late: the schedule that a client finds from arrivals alone, also of a server that
// stalls.
#include "tools/load/tick_fit.h"

#include <gtest/gtest.h>

#include "base/dice.h"

namespace sweepd::tools::load::tick_fit_test {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::seconds;

const TimePoint kBegin{seconds(1000)};

TimePoint due(std::uint64_t tick) { return kBegin + Duration(tick * 1'000'000'000 / 60); }

TEST(LoadTickFit, FindsTheScheduleFromTheFastestUpdate) {
  TickFit fit(60);
  base::Dice dice(3);
  for (std::uint64_t tick = 1; tick <= 600; ++tick) {
    fit.observe(tick, due(tick) + microseconds(tick == 30 ? 0 : dice.between(100, 4000)));
  }
  EXPECT_LE(std::abs((fit.due(500) - due(500)).count()), 20);
  EXPECT_NEAR(static_cast<double>(fit.observe(601, due(601) + milliseconds(3)).count()), 3e6, 100);
  EXPECT_EQ(fit.ticks_lost(), 0u);
}

TEST(LoadTickFit, AServerThatIsLateForSecondsIsLateAndNothingElse) {
  TickFit fit(60);
  for (std::uint64_t tick = 1; tick <= 120; ++tick) fit.observe(tick, due(tick));
  for (std::uint64_t tick = 121; tick <= 600; ++tick) {
    EXPECT_GE(fit.observe(tick, due(tick) + milliseconds(12)), microseconds(11'999)) << tick;
  }
  EXPECT_EQ(fit.ticks_lost(), 0u);
}

TEST(LoadTickFit, FollowsAScheduleThatWasMovedByWholeTicksAndCountsThem) {
  TickFit fit(60);
  for (std::uint64_t tick = 1; tick <= 120; ++tick) fit.observe(tick, due(tick));
  Duration late{0};
  // A stall of 9 ticks, of which none is made up for.
  for (std::uint64_t tick = 121; tick <= 400; ++tick)
    late = fit.observe(tick, due(tick + 9) + milliseconds(1));
  EXPECT_EQ(fit.ticks_lost(), 9u);
  EXPECT_NEAR(static_cast<double>(late.count()), 1e6, 100);
}

TEST(LoadTickFit, OnlyEverySixthTickIsEnough) {
  TickFit fit(60);
  for (std::uint64_t tick = 6; tick <= 600; tick += 6)
    fit.observe(tick, due(tick) + microseconds(tick % 18 * 10));
  EXPECT_LE(std::abs((fit.due(601) - due(601)).count()), 20);
}

TEST(LoadTickFit, ATickThatNoMatchComesToIsDueLateAndNotBeforeOthers) {
  TickFit fit(60);
  fit.observe(1, kBegin);
  EXPECT_GE(fit.observe(~std::uint64_t{0}, kBegin), Duration(0));
  EXPECT_GT(fit.due(~std::uint64_t{0}), fit.due(1));
}

}  // namespace
}  // namespace sweepd::tools::load::tick_fit_test
