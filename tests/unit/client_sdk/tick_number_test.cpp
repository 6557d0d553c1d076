// SPDX-License-Identifier: MIT
//
// Protects the SDK from numbers that are no ticks, be they a game's or a hostile server's: to convert them
// plainly would be undefined.
#include "tick_number.h"

#include <gtest/gtest.h>

#include <cmath>

#include "lead_estimate.h"

namespace sweepd::internal::tick_number_test {
namespace {

TEST(TickNumber, KeepsWhatIsATick) {
  EXPECT_EQ(to_tick(0), 0u);
  EXPECT_EQ(to_tick(7.9), 7u);
  EXPECT_EQ(to_tick(0x1p62), Tick{1} << 62);
  EXPECT_EQ(possible_tick(7.9), 7.9);
}

TEST(TickNumber, HoldsWhatIsNoneAtAnEnd) {
  for (const double low : {-0.5, -1e300, -HUGE_VAL, std::nan("")}) {
    EXPECT_EQ(to_tick(low), 0u) << low;
    EXPECT_EQ(possible_tick(low), 0) << low;
  }
  for (const double high : {0x1p63, 0x1p64, 1e300, HUGE_VAL}) {
    EXPECT_EQ(to_tick(high), Tick{1} << 63) << high;
    EXPECT_EQ(possible_tick(high), 0x1p63) << high;
  }
}

TEST(TickNumber, AnImpossibleDelayMakesALeadAllTheSame) {
  const LeadEstimate estimate;
  EXPECT_EQ(estimate.lead(std::nan("")), 1u);
  EXPECT_EQ(estimate.lead(-3), 1u);
  EXPECT_EQ(estimate.lead(HUGE_VAL), (Tick{1} << 63) + 1);
}

}  // namespace
}  // namespace sweepd::internal::tick_number_test
