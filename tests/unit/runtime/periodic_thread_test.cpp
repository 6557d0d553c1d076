// SPDX-License-Identifier: MIT
//
// Protects what watches the server: it runs again and again, however long one piece of it takes, and ends
// when it is told to.
#include "runtime/loop/periodic_thread.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace sweepd::runtime::periodic_thread_test {
namespace {

using namespace std::chrono_literals;

TEST(PeriodicThread, RunsAllItsWorkUntilItIsStopped) {
  PeriodicThread thread("test");
  std::atomic<int> often = 0;
  std::atomic<int> seldom = 0;
  thread.every(1ms, [&] { ++often; });
  thread.every(5ms, [&] { ++seldom; });
  EXPECT_EQ(often, 0) << "it has not been started";
  thread.start();
  while (seldom < 3 || often < 3) std::this_thread::yield();
  thread.stop();
  const int last = often;
  std::this_thread::sleep_for(5ms);
  EXPECT_EQ(often, last);
}

TEST(PeriodicThread, MayBeStoppedBeforeItIsStarted) {
  PeriodicThread thread("test");
  thread.every(1ms, [] { FAIL(); });
  thread.stop();
}

}  // namespace
}  // namespace sweepd::runtime::periodic_thread_test
