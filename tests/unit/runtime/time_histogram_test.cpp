// SPDX-License-Identifier: MIT
//
// Protects the figures by which a server is found to keep time or not: percentiles that are right to an
// eighth, from a microsecond to a minute.
#include "runtime/telemetry/time_histogram.h"

#include <gtest/gtest.h>

#include <cmath>

namespace sweepd::runtime::time_histogram_test {
namespace {

using std::chrono::hours;
using std::chrono::microseconds;
using std::chrono::nanoseconds;
using std::chrono::seconds;

TEST(TimeHistogram, SaysNothingOfNothing) {
  const TimeHistogram histogram;
  EXPECT_EQ(histogram.count(), 0u);
  EXPECT_EQ(histogram.percentile(99), Duration::zero());
}

TEST(TimeHistogram, IsRightToAnEighthForEveryTime) {
  for (double us = 1; us < 60e6; us = us * 1.01 + 0.3) {
    TimeHistogram histogram;
    const Duration time = nanoseconds(static_cast<std::int64_t>(us * 1000));
    histogram.add(time);
    const double error = std::abs(static_cast<double>((histogram.percentile(50) - time).count())) / us / 1000;
    ASSERT_LE(error, us < 4 ? 1 / us : 0.125) << us << " us: whole ones below 4, an eighth beyond";
  }
}

TEST(TimeHistogram, APercentileIsWhatSoManyDoNotExceed) {
  TimeHistogram histogram;
  for (int i = 0; i < 99; ++i) histogram.add(microseconds(2));
  histogram.add(microseconds(1000));
  EXPECT_EQ(histogram.percentile(50), microseconds(2));
  EXPECT_EQ(histogram.percentile(99), microseconds(2));
  EXPECT_NEAR(static_cast<double>(histogram.percentile(100) / nanoseconds(1000)), 1000, 125);
  histogram.add(microseconds(1000));
  EXPECT_GT(histogram.percentile(99), microseconds(800));
}

TEST(TimeHistogram, TakesWhatIsTooShortAndTooLong) {
  TimeHistogram histogram;
  histogram.add(-seconds(5));
  EXPECT_EQ(histogram.percentile(100), Duration::zero());
  histogram.add(hours(1000));
  EXPECT_GT(histogram.percentile(100), seconds(50));
  for (int i = 0; i < 100'000; ++i) histogram.add(microseconds(1));
  EXPECT_EQ(histogram.percentile(50), microseconds(1));
}

TEST(TimeHistogram, HoweverManyThereAreTheSharesStayRight) {
  TimeHistogram histogram;
  for (int i = 0; i < 500'000; ++i) histogram.add(microseconds(i % 100 < 60 ? 1 : 3));
  EXPECT_EQ(histogram.percentile(55), microseconds(1));
  EXPECT_EQ(histogram.percentile(65), microseconds(3));
  TimeHistogram both = histogram;
  for (int i = 0; i < 10; ++i) both.add(histogram);
  EXPECT_EQ(both.percentile(55), microseconds(1));
  EXPECT_EQ(both.percentile(65), microseconds(3));
}

TEST(TimeHistogram, AddsUpWithAnother) {
  TimeHistogram one;
  TimeHistogram other;
  for (int i = 0; i < 60'000; ++i) one.add(microseconds(1));
  for (int i = 0; i < 60'000; ++i) other.add(microseconds(3));
  one.add(other);
  EXPECT_EQ(one.count(), 120'000u);
  EXPECT_EQ(one.percentile(50), microseconds(1));
  EXPECT_EQ(one.percentile(51), microseconds(3));
}

}  // namespace
}  // namespace sweepd::runtime::time_histogram_test
