// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>

#include "runtime/clock.h"

namespace sweepd::runtime {

/// When a loop last polled, and how long it went without. Fed by the loop's thread; read from any. A loop
/// that is well polls every 20 ms or sooner (kTimerResolution), and does everything else between two polls.
class LoopPulse {
 public:
  /// From here on a loop that does not poll stands still.
  static constexpr Duration kStall = std::chrono::seconds(1);
  static constexpr Duration kWindow = std::chrono::seconds(60);

  /// Of the loop's thread: before each poll, which should be back at `due`, and when it polls no more.
  void beat(TimePoint now, TimePoint due);
  void stop() { last_.store(kNotRunning, std::memory_order_relaxed); }

  /// Since the last poll; 0: it does not run.
  Duration age(TimePoint now) const;
  /// Of the loop's thread: after each poll.
  void poll_ends() { due_.store(kNever, std::memory_order_relaxed); }
  /// By how much the poll that lasts is late; 0: it is not, or none lasts.
  Duration overdue(TimePoint now) const;
  /// Tells one poll from the next.
  Duration::rep last_beat() const { return last_.load(std::memory_order_acquire); }
  bool is_stalled(TimePoint now) const { return age(now) >= kStall; }
  /// The longest time between two polls, the one that lasts included, of one to two windows.
  Duration longest_gap(TimePoint now) const;
  /// How often it stood still, and how long the last time. One that lasts is counted when it is over.
  std::uint64_t stalls() const { return stalls_.load(std::memory_order_relaxed); }
  Duration last_stall() const { return Duration(last_stall_.load(std::memory_order_relaxed)); }

 private:
  using Ticks = Duration::rep;
  static constexpr Ticks kNotRunning = -1;
  static constexpr Ticks kNever = std::numeric_limits<Ticks>::max();

  void note_gap(Ticks gap, Ticks now);

  std::atomic<Ticks> last_ = kNotRunning;  ///< Since the clock's epoch.
  std::atomic<Ticks> due_ = kNever;        ///< When the poll that lasts should be back.
  std::atomic<Ticks> longest_ = 0;         ///< Of this window; the other, of the one before.
  std::atomic<Ticks> longest_before_ = 0;
  std::atomic<std::uint64_t> stalls_ = 0;
  std::atomic<Ticks> last_stall_ = 0;
  Ticks window_begin_ = 0;
};

}  // namespace sweepd::runtime
