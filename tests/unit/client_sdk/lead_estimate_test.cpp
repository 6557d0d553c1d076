// SPDX-License-Identifier: MIT
//
// Protects how far ahead frames are to be: by how those before came in, and by the measured delay before
// there are enough of them.
#include "lead_estimate.h"

#include <gtest/gtest.h>

namespace sweepd::internal {
namespace {

TEST(LeadEstimate, GoesByTheMeasuredDelayAtFirst) {
  LeadEstimate estimate;
  EXPECT_EQ(estimate.lead(0), 1u);
  EXPECT_EQ(estimate.lead(3.2), 5u);
  for (std::size_t i = 1; i < LeadEstimate::kFramesMin; ++i) estimate.note(9);
  EXPECT_EQ(estimate.lead(3.2), 5u);
  estimate.note(9);
  EXPECT_EQ(estimate.lead(3.2), 9u);
}

TEST(LeadEstimate, HasNineteenOfTwentyFramesInTime) {
  LeadEstimate estimate;
  for (int i = 0; i < 60; ++i) estimate.note(4);
  estimate.note(30);
  EXPECT_EQ(estimate.lead(0), 4u) << "one stall";
  for (int i = 0; i < 8; ++i) estimate.note(7);
  EXPECT_EQ(estimate.lead(0), 7u);
}

TEST(LeadEstimate, ForgetsWhatWasLongAgo) {
  LeadEstimate estimate;
  for (std::size_t i = 0; i < LeadEstimate::kFramesMax; ++i) estimate.note(20);
  for (std::size_t i = 0; i < LeadEstimate::kFramesMax; ++i) estimate.note(0);
  EXPECT_EQ(estimate.lead(5), 1u);
}

}  // namespace
}  // namespace sweepd::internal
