// SPDX-License-Identifier: MIT
//
// Protects the meeting of two loops: while one of them stands still nothing of it runs, and then it goes on
// with all that came meanwhile.
#include "runtime/loop/loop_pause.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace sweepd::runtime::loop_pause_test {
namespace {

/// There is no network; the loop looks again and again.
class IdlePoller final : public Poller {
 public:
  Duration poll(TimePoint) override {
    std::this_thread::yield();
    return {};
  }
  void wake() override {}
};

TEST(LoopPause, TheLoopStandsStillAndGoesOnInOrder) {
  IdlePoller poller;
  Loop loop(poller);
  std::atomic<std::uint64_t> ticks = 0;
  loop.ticks().add(240, loop.now(), [&ticks] { ++ticks; });
  std::thread thread([&loop] { loop.run(); });
  int order = 0;  // Touched by either thread, in turn.
  for (int i = 0; i < 50; ++i) {
    loop.post([&order] { order = order * 2; });
    {
      const LoopPause pause(loop);
      const std::uint64_t before = ticks;
      order = 1;
      loop.post([&order] { order += 10; });
      if (i % 10 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(10));
      EXPECT_EQ(ticks, before);
      EXPECT_EQ(order, 1);
    }
    const LoopPause pause(loop);  // What was posted has run.
    EXPECT_EQ(order, 11);
  }
  loop.stop();
  thread.join();
}

}  // namespace
}  // namespace sweepd::runtime::loop_pause_test
