// SPDX-License-Identifier: MIT
// Protects assertions: on in every build, and they say what broke.

#include "base/assert.h"

#include <gtest/gtest.h>

namespace sweepd::base::assert_test {
namespace {

TEST(AssertDeathTest, ABrokenInvariantEndsTheProcessAndIsNamed) {
  const int count = 3;
  EXPECT_DEATH(SWEEPD_ASSERT(count == 4), "assert_test.cpp:[0-9]+: broken invariant: count == 4");
}

TEST(Assert, AnInvariantThatHoldsIsEvaluatedOnce) {
  int evaluations = 0;
  SWEEPD_ASSERT(++evaluations == 1);
  EXPECT_EQ(evaluations, 1);
}

}  // namespace
}  // namespace sweepd::base::assert_test
