// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <cstddef>
#include <deque>
#include <functional>
#include <utility>
#include <vector>

#include "runtime/clock.h"
#include "runtime/loop/event_source.h"
#include "runtime/loop/loop_figures.h"
#include "runtime/loop/loop_load.h"
#include "runtime/loop/loop_pulse.h"
#include "runtime/loop/poller.h"
#include "runtime/loop/thread_clock.h"
#include "runtime/loop/tick_schedule.h"

namespace sweepd::runtime {

struct LoopOptions {
  LoadLimits load_limits = {};
  std::uint32_t catch_up_ticks_max = kCatchUpTicksMax;
};

/// One thread's event loop. It alternates between the network, posted work and timers, and the ticks that are
/// due. Everything that lives on a loop is touched by its thread only; other threads post. The posted work is
/// not bounded here: each poster (a call, a stream's read) has one piece of work on its way at a time, and
/// posters are bounded.
class Loop {
 public:
  explicit Loop(Poller& poller, Clock clock = steady_now, const LoopOptions& options = {});

  /// Runs `work` on the loop's thread, soon. From any thread. In the order of the posts of one thread.
  template <typename Work>
  void post(Work&& work) {
    posted_waiting_.fetch_add(1, std::memory_order_relaxed);
    auto counted = [this, work = std::forward<Work>(work)]() mutable {
      posted_waiting_.fetch_sub(1, std::memory_order_relaxed);
      work();
    };
    if (is_current()) {
      boost::asio::post(context_, std::move(counted));
      posted_here_ = true;
      return;
    }
    posts_under_way_.fetch_add(1, std::memory_order_relaxed);
    boost::asio::post(context_, std::move(counted));
    poller_.wake();
    posts_under_way_.fetch_sub(1, std::memory_order_release);
  }

  /// Waits until no thread is in `post`: the work may have run, and its poster may be done, before `post`
  /// returns. To be called before the loop or its poller go.
  void wait_for_posters() const;

  /// Runs `slice` of a long piece of work once everything more urgent has had its turn, and where it seems to
  /// fit before the next tick; after kSliceWaitMax without any slice, also where not. From the loop's thread
  /// only. `is_load`: it counts as other work does, and waits for no gap.
  void post_slice(std::function<void()> slice, bool is_load = false);

  /// Is looked at from then on, and outlives what the loop runs. Before the loop runs.
  void add_source(EventSource& source) { sources_.push_back(&source); }

  /// Returns after stop().
  void run();

  /// From any thread.
  void stop();

  /// One round without waiting: to wind down what a stopped loop has left.
  void run_round();

  /// Whether the calling thread is in run() of this loop.
  bool is_current() const;

  TimePoint now() const { return clock_(); }
  const Clock& clock() const { return clock_; }
  TickSchedule& ticks() { return ticks_; }
  LoopLoad& load() { return load_; }
  /// Read from any thread.
  LoopFigures& figures() { return figures_; }
  const LoopFigures& figures() const { return figures_; }
  /// When it last polled. Read from any thread.
  const LoopPulse& pulse() const { return pulse_; }
  /// Of its thread; from any.
  Duration cpu_time() const { return cpu_clock_.now(); }
  /// How much posted work has yet to run. From any thread.
  std::size_t posted_waiting() const { return posted_waiting_.load(std::memory_order_relaxed); }

  /// For timers. They are seen at least every kTimerResolution.
  boost::asio::io_context& context() { return context_; }

 private:
  TimePoint poll_deadline();
  void run_posted();
  void look_at_sources();
  /// When the next slice may run: none that seems to take longer than there is until the next tick.
  TimePoint slice_due(TimePoint now) const;
  void run_slices();
  void run_slice_in_gap();
  void run_last_slices();

  Poller& poller_;
  Clock clock_;
  LoopFigures figures_;  ///< Before what holds posted work, and with it matches that have ended.
  std::atomic<std::size_t> posted_waiting_ = 0;
  boost::asio::io_context context_;
  TickSchedule ticks_;
  std::vector<EventSource*> sources_;
  LoopLoad load_;
  std::deque<std::function<void()>> load_slices_;
  std::deque<std::function<void()>> slices_;  ///< Those that wait for a gap.
  Duration slice_time_{};                     ///< What one of those takes: the longest of late.
  TimePoint last_slice_;
  LoopPulse pulse_;
  ThreadClock cpu_clock_;
  std::atomic<int> posts_under_way_ = 0;
  bool posted_here_ = false;
  bool stopped_ = false;
};

/// Long work goes on on a loop that has no gap between its ticks, too.
inline constexpr Duration kSliceWaitMax = std::chrono::milliseconds(20);

/// The poller cannot see when the next timer is due. Timers guard against minutes of idleness and seconds of
/// stalling, so looking at them this often is enough.
inline constexpr Duration kTimerResolution = std::chrono::milliseconds(20);

}  // namespace sweepd::runtime
