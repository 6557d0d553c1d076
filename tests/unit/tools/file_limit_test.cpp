// SPDX-License-Identifier: MIT
//
// Protects servers and load generators from running out of connections long before their machine does.
#include "os/file_limit.h"

#include <gtest/gtest.h>

namespace sweepd::tools::file_limit_test {
namespace {

TEST(FileLimit, IsRaisedToWhatTheUserMayHave) {
  rlimit old = {};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &old), 0);
  rlimit few = old;
  few.rlim_cur = 100;
  ASSERT_GT(old.rlim_max, few.rlim_cur);
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &few), 0);
  const os::FileLimit files = os::raise_file_limit();
  EXPECT_EQ(files.before, 100u);
  EXPECT_EQ(files.now, old.rlim_max);
  rlimit raised = {};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &raised), 0);
  EXPECT_EQ(raised.rlim_cur, old.rlim_max);
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &old), 0);
}

}  // namespace
}  // namespace sweepd::tools::file_limit_test
