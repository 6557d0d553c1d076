// SPDX-License-Identifier: MIT
//
// Protects every figure of a load test: a quantile that is off, or lost in a merge, makes them all wrong.
#include "tools/load/histogram.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "base/dice.h"

namespace sweepd::tools::load::histogram_test {
namespace {

using std::chrono::nanoseconds;

TEST(LoadHistogram, IsEmptyAtFirst) {
  const Histogram histogram;
  EXPECT_EQ(histogram.count(), 0u);
  EXPECT_EQ(histogram.quantile(0.99), nanoseconds(0));
  EXPECT_EQ(histogram.mean(), nanoseconds(0));
}

TEST(LoadHistogram, TellsQuantilesWithinOnePercentAndNeverTooLow) {
  base::Dice dice(7);
  Histogram histogram;
  std::vector<std::int64_t> values;
  for (int i = 0; i < 20'000; ++i) {
    const std::int64_t value = dice.between(0, 1 << dice.between(1, 30));
    values.push_back(value);
    histogram.record(nanoseconds(value));
  }
  std::sort(values.begin(), values.end());
  for (const double fraction : {0.001, 0.5, 0.9, 0.99, 0.999, 1.0}) {
    const auto rank = static_cast<std::size_t>(std::max(1.0, fraction * 20'000 + 0.5)) - 1;
    const std::int64_t exact = values[std::min(rank, values.size() - 1)];
    const std::int64_t told = histogram.quantile(fraction).count();
    EXPECT_GE(told, exact - 1) << fraction;
    EXPECT_LE(told, exact + exact / 100 + 1) << fraction;
  }
  EXPECT_EQ(histogram.max().count(), values.back());
}

TEST(LoadHistogram, CountsWhatIsBelowZeroAsZeroAndWhatIsAboveAnHourAsAnHour) {
  Histogram histogram;
  histogram.record(nanoseconds(-5));
  histogram.record(std::chrono::hours(3));
  EXPECT_EQ(histogram.quantile(0.5), nanoseconds(0));
  EXPECT_EQ(histogram.quantile(1), std::chrono::hours(1));
}

TEST(LoadHistogram, AMergedOneSaysWhatOneOfAllWouldSay) {
  Histogram one, other, all;
  for (int i = 1; i <= 1000; ++i) {
    (i % 3 == 0 ? one : other).record(nanoseconds(i * 1001));
    all.record(nanoseconds(i * 1001));
  }
  one.merge(other);
  EXPECT_EQ(one.count(), 1000u);
  EXPECT_EQ(one.max(), all.max());
  EXPECT_EQ(one.mean(), all.mean());
  for (const double fraction : {0.1, 0.5, 0.99}) EXPECT_EQ(one.quantile(fraction), all.quantile(fraction));
}

}  // namespace
}  // namespace sweepd::tools::load::histogram_test
