// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <cstdint>
#include <functional>
#include <thread>

#include "runtime/poller.h"
#include "runtime/tick_schedule.h"

namespace sweepd::runtime {

/// One thread that serves a poller, posted work and timers, and the ticks of the matches that live on it, in turns. What
/// lives on a loop is touched by its thread alone.
/// Posted work is bounded by what posts it: each call has at most a handful of operations under way, and calls are
/// bounded in number.
class Loop {
 public:
  explicit Loop(std::uint32_t index);
  ~Loop();
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  std::uint32_t index() const { return index_; }

  /// Starts the thread. `poller` has to outlive it.
  void start(Poller& poller);
  /// Ends the thread after the turn in progress and waits for it. Work not yet run is dropped.
  void stop();

  /// Runs `work` on the loop's thread, later. Any thread, from `start` on.
  void post(std::function<void()> work);

  /// For timers of a tenth of a second and coarser: the loop looks at them at least that often.
  boost::asio::io_context& timers() { return context_; }

  TickSchedule& schedule() { return schedule_; }

 private:
  void run();

  const std::uint32_t index_;
  boost::asio::io_context context_;
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> guard_;
  TickSchedule schedule_;
  Poller* poller_ = nullptr;
  std::atomic<bool> stopping_{false};
  std::thread thread_;
};

}  // namespace sweepd::runtime
