// SPDX-License-Identifier: MIT
//
// Protects the heart of every thread: what is posted runs, on the loop, in order, and nothing - posts,
// timers, ticks, long work - starves another.
#include "runtime/loop/loop.h"

#include <gtest/gtest.h>

#include <boost/asio/steady_timer.hpp>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace sweepd::runtime::loop_test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

/// Waits on a condition variable in place of a network.
class FakePoller final : public Poller {
 public:
  Duration poll(TimePoint deadline) override {
    std::unique_lock lock(mutex_);
    ++polls_;
    condition_.wait_until(lock, deadline, [this] { return is_woken_; });
    is_woken_ = false;
    return {};
  }

  void wake() override {
    const std::lock_guard lock(mutex_);
    is_woken_ = true;
    condition_.notify_one();
  }

  int polls() const { return polls_; }

 private:
  std::mutex mutex_;
  std::condition_variable condition_;
  bool is_woken_ = false;
  int polls_ = 0;
};

/// Waits by moving a clock on.
class PollerOfAClock final : public Poller {
 public:
  explicit PollerOfAClock(TimePoint& now) : now_(now) {}
  Duration poll(TimePoint deadline) override {
    now_ = std::max(now_, deadline);
    return {};
  }
  void wake() override {}

 private:
  TimePoint& now_;
};

TEST(Loop, RunsPostsOfOtherThreadsOnItsOwnThreadInTheirOrder) {
  FakePoller poller;
  Loop loop(poller);
  constexpr int kThreads = 4;
  constexpr int kPosts = 1000;
  std::vector<std::vector<int>> seen(kThreads);
  int left = kThreads * kPosts;
  bool was_always_current = true;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&, thread] {
      for (int i = 0; i < kPosts; ++i) {
        loop.post([&, thread, i] {
          seen[static_cast<std::size_t>(thread)].push_back(i);
          was_always_current = was_always_current && loop.is_current();
          if (--left == 0) loop.stop();
        });
      }
    });
  }
  loop.run();
  for (auto& thread : threads) thread.join();
  EXPECT_TRUE(was_always_current);
  EXPECT_FALSE(loop.is_current());
  for (const auto& posts : seen) {
    ASSERT_EQ(posts.size(), static_cast<std::size_t>(kPosts));
    for (int i = 0; i < kPosts; ++i) EXPECT_EQ(posts[static_cast<std::size_t>(i)], i);
  }
}

TEST(Loop, APostWakesALoopThatWaitsForNothing) {
  FakePoller poller;
  Loop loop(poller);
  std::thread thread([&] { loop.run(); });
  bool has_run = false;
  loop.post([&] {
    has_run = true;
    loop.stop();
  });
  thread.join();
  EXPECT_TRUE(has_run);
}

TEST(Loop, RunsTimers) {
  FakePoller poller;
  Loop loop(poller);
  boost::asio::steady_timer timer(loop.context(), milliseconds(1));
  bool has_fired = false;
  timer.async_wait([&](const boost::system::error_code& error) {
    has_fired = !error;
    loop.stop();
  });
  loop.run();
  EXPECT_TRUE(has_fired);
}

TEST(Loop, IsNotBusyWithSlices) {
  FakePoller poller;
  TimePoint now{seconds(100)};
  Loop loop(poller, [&now] { return now; });
  int slices = 0;
  std::function<void()> slice = [&] {
    now += milliseconds(5);  // All the time there is.
    if (++slices == 2'000) return loop.stop();
    loop.post_slice(slice);
  };
  loop.post_slice(slice);
  loop.run();
  EXPECT_GE(loop.load().reading().windows, 9u);
  EXPECT_LT(loop.load().reading().busy_ratio, 0.1);
  EXPECT_FALSE(loop.load().reading().is_overloaded);
}

TEST(Loop, IsBusyWithSlicesThatTakeLongerThanASliceMay) {
  FakePoller poller;
  TimePoint now{seconds(100)};
  Loop loop(poller, [&now] { return now; });
  int slices = 0;
  std::function<void()> slice = [&] {
    now += milliseconds(100);
    if (++slices == 100) return loop.stop();
    loop.post_slice(slice);
  };
  loop.post_slice(slice);
  loop.run();
  EXPECT_GT(loop.load().reading().busy_ratio, 0.8);
}

TEST(Loop, RunsTicksWhenTheirTimeHasCome) {
  TimePoint now{seconds(100)};
  PollerOfAClock poller(now);
  Loop loop(poller, [&now] { return now; });
  std::vector<TimePoint> ticks;
  loop.ticks().add(10, now, [&] {
    ticks.push_back(now);
    if (ticks.size() == 50) loop.stop();
  });
  const TimePoint first = *loop.ticks().next_due();
  loop.run();
  for (std::size_t i = 0; i < ticks.size(); ++i) {
    const TimePoint due = first + milliseconds(100) * i;
    EXPECT_GE(ticks[i], due);
    EXPECT_LT(ticks[i], due + milliseconds(1));
  }
}

/// Ticks 100 times a second, long work that never ends, and a clock that goes on as both of them take it.
struct TicksAndSlices {
  TicksAndSlices(milliseconds tick_time, milliseconds slice_time) {
    loop.ticks().add(100, now, [this, tick_time] {
      latest = std::max<Duration>(latest, now - loop.ticks().running().due);
      now += tick_time;
      if (++ticks == 100) loop.stop();
    });
    slice = [this, slice_time] {
      ++slices;
      now += slice_time;
      loop.post_slice(slice);
    };
    loop.post_slice(slice);
    loop.run();
  }

  TimePoint now{seconds(100)};
  PollerOfAClock poller{now};
  Loop loop{poller, [this] { return now; }};
  std::function<void()> slice;
  Duration latest{};
  int ticks = 0;
  int slices = 0;
};

TEST(Loop, SlicesOfLongWorkRunBetweenTicksThatAreNotLateForThem) {
  const TicksAndSlices run(milliseconds(3), milliseconds(5));
  EXPECT_LE(run.latest, milliseconds(5)) << "the first slice, of which nothing was known";
  EXPECT_GE(run.slices, 99);
  const TicksAndSlices small(milliseconds(3), milliseconds(1));
  EXPECT_GE(small.slices, 6 * 99);
}

TEST(Loop, SlicesThatFitIntoNoGapRunNowAndThen) {
  const TicksAndSlices run(milliseconds(6), milliseconds(5));
  EXPECT_GE(run.slices, 30);
  EXPECT_LE(run.slices, 60);
}

TEST(Loop, ThatIsStoppedRunsTheSlicesThatWaitOnceMore) {
  FakePoller poller;
  Loop loop(poller);
  int runs = 0;
  std::function<void()> slice = [&] {
    ++runs;
    loop.post_slice(slice);
  };
  for (int i = 0; i < 3; ++i) loop.post_slice(slice);
  loop.stop();
  loop.run();
  EXPECT_GE(runs, 3);
  EXPECT_LE(runs, 4);
}

TEST(Loop, WorkThatGoesOnForEverStarvesNobody) {
  FakePoller poller;
  Loop loop(poller);
  int slices = 0;
  int posts = 0;
  std::function<void()> slice = [&] {
    ++slices;
    loop.post_slice(slice);
  };
  std::function<void()> post = [&] {
    ++posts;
    loop.post(post);
  };
  loop.post_slice(slice);
  loop.post(post);
  int ticks = 0;
  loop.ticks().add(240, loop.now(), [&] {
    // A machine that stands still for a while has several ticks to make up for in one round.
    if (++ticks >= 3 && poller.polls() > 3) loop.stop();
  });
  loop.run();
  EXPECT_GT(slices, 3);
  EXPECT_GT(posts, 3);
  EXPECT_GT(poller.polls(), 3);
}

TEST(Loop, APostFromTheLoopItselfIsRunWithoutAWait) {
  FakePoller poller;
  Loop loop(poller);
  int hops = 0;
  std::function<void()> hop = [&] {
    if (++hops == 100) {
      loop.stop();
    } else {
      loop.post_slice([&] { loop.post(hop); });  // After this round's look at the posts.
    }
  };
  loop.post(hop);
  loop.run();
  EXPECT_EQ(hops, 100);
  EXPECT_LE(poller.polls(), 202) << "one round per hop, and none in which nothing happened";
}

/// Looked at when it says so.
class FakeSource final : public EventSource {
 public:
  void look(TimePoint now) override {
    ++looks;
    if (now >= next) {
      ++events;
      next = now + milliseconds(1);
    }
    if (on_look) on_look();
  }
  TimePoint next_look() const override { return next; }

  std::function<void()> on_look;
  TimePoint next{};
  int looks = 0;
  int events = 0;
};

TEST(Loop, ComesBackFromItsWaitForWhatItDoesNotWaitFor) {
  FakePoller poller;
  Loop loop(poller);
  FakeSource source;
  loop.add_source(source);
  source.on_look = [&] {
    if (source.events == 50) loop.stop();
  };
  loop.run();
  EXPECT_GE(source.events, 50);
  EXPECT_LE(source.looks, 2 * source.events + 2) << "no round without cause";
}

}  // namespace
}  // namespace sweepd::runtime::loop_test
