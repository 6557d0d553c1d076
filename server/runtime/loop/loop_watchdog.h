// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

#include "runtime/loop/loop_pulse.h"
#include "runtime/telemetry/health.h"

namespace sweepd::runtime {

/// What a watchdog knows the time by.
struct WatchdogClocks {
  Clock steady = steady_now;
  /// Goes on while the machine is suspended.
  Clock boot;
};
WatchdogClocks system_watchdog_clocks();

/// Says when a loop stands still, and when the whole process did.
///
/// The part "loops" of the health fails while a loop has not polled for LoopPulse::kStall: the server is not
/// ready. From kHang on it is not alive: what holds a loop up for that long does not end by itself, and only
/// a restart brings its matches back. A process that was stopped (SIGSTOP, a frozen container, a suspended
/// machine) goes on as it was: that is logged and counted, and no loop is blamed for it.
class LoopWatchdog {
 public:
  static constexpr Duration kHang = std::chrono::seconds(10);
  static constexpr Duration kPeriod = std::chrono::milliseconds(250);

  /// `pulses`: of the loops, by their index; they outlive this. `health` null: what is found is only logged.
  LoopWatchdog(std::vector<const LoopPulse*> pulses, Health* health,
               WatchdogClocks clocks = system_watchdog_clocks());

  /// Looks once. From one thread.
  void look();

  /// How often the whole process stood still, and for how many seconds in all. From any thread.
  std::uint64_t process_stalls() const { return process_stalls_; }
  double process_stall_seconds() const;

 private:
  enum class State : std::uint8_t { kPolls, kStalled, kHangs };
  struct Watched {
    const LoopPulse* pulse = nullptr;
    State state = State::kPolls;
  };

  void look_at_process(TimePoint now);
  void look_at(std::size_t loop, TimePoint now);
  void tell_health();

  std::vector<Watched> loops_;
  Health* const health_;
  const WatchdogClocks clocks_;
  TimePoint last_look_;  ///< By the boot clock.
  TimePoint last_steady_;
  TimePoint awake_since_;  ///< Of the steady clock: the process stood still before.
  std::atomic<std::uint64_t> process_stalls_ = 0;
  std::atomic<std::int64_t> process_stall_ns_ = 0;
};

/// A thread that has a watchdog look every kPeriod, as long as this lives.
class WatchdogThread {
 public:
  explicit WatchdogThread(LoopWatchdog& watchdog);
  ~WatchdogThread();
  WatchdogThread(const WatchdogThread&) = delete;
  WatchdogThread& operator=(const WatchdogThread&) = delete;

 private:
  void run();

  LoopWatchdog& watchdog_;
  std::mutex mutex_;
  std::condition_variable condition_;
  bool is_stopped_ = false;  ///< Guarded by mutex_.
  std::thread thread_;
};

}  // namespace sweepd::runtime
