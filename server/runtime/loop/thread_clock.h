// SPDX-License-Identifier: MIT
#pragma once

#include <pthread.h>
#include <time.h>

#include <atomic>

#include "runtime/clock.h"

namespace sweepd::runtime {

/// How long a thread has had a core, read from any thread while that one lives.
class ThreadClock {
 public:
  /// On the thread itself.
  void start() {
    clockid_t id{};
    if (pthread_getcpuclockid(pthread_self(), &id) == 0) id_.store(id, std::memory_order_relaxed);
  }
  /// The thread is about to end.
  void stop() { id_.store(kNone, std::memory_order_relaxed); }
  /// 0: the thread does not run.
  Duration now() const {
    const clockid_t id = id_.load(std::memory_order_relaxed);
    timespec time = {};
    if (id == kNone || clock_gettime(id, &time) != 0) return {};
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
  }

 private:
  static constexpr clockid_t kNone = CLOCK_MONOTONIC;  ///< Of no thread.
  std::atomic<clockid_t> id_ = kNone;
};

}  // namespace sweepd::runtime
