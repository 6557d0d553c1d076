// SPDX-License-Identifier: MIT
//
// Protects what tells a slowed match where no list of clock changes does: the pace between wall times.
#include "replay/observed_pace.h"

#include <gtest/gtest.h>

#include <vector>

namespace sweepd::replay::observed_pace_test {
namespace {

TEST(ObservedPace, IsThatOfTheSlowestAndTheFastestStretch) {
  const ObservedPace pace =
      pace_between(std::vector<TickSight>{{1, 1000}, {61, 2000}, {71, 4000}, {191, 6000}});
  EXPECT_EQ(pace.slowest, 5000u);
  EXPECT_EQ(pace.fastest, 60'000u);
}

TEST(ObservedPace, CountsAShortStretchWithTheNext) {
  const ObservedPace pace =
      pace_between(std::vector<TickSight>{{1, 1000}, {31, 1500}, {61, 1999}, {121, 3000}});
  EXPECT_EQ(pace.slowest, 60'000u);
  EXPECT_EQ(pace.fastest, 60'000u);
}

TEST(ObservedPace, IsNoneWithoutAStretchOfASecond) {
  EXPECT_EQ(pace_between({}).slowest, 0u);
  EXPECT_EQ(pace_between(std::vector<TickSight>{{1, 1000}, {61, 1999}}).slowest, 0u);
  EXPECT_EQ(pace_between(std::vector<TickSight>{{61, 9000}, {61, 19'000}}).slowest, 0u);
}

TEST(ObservedPace, BeginsAnewWhereTimesOrTicksGoBack) {
  const ObservedPace pace =
      pace_between(std::vector<TickSight>{{1, 9000}, {61, 1000}, {121, 2000}, {5, 4000}, {65, 6000}});
  EXPECT_EQ(pace.slowest, 30'000u);
  EXPECT_EQ(pace.fastest, 60'000u);
}

}  // namespace
}  // namespace sweepd::replay::observed_pace_test
