// SPDX-License-Identifier: MIT
#include "runtime/loop/loop_watchdog.h"

#include <pthread.h>
#include <time.h>

#include <algorithm>
#include <string>
#include <utility>

#include "base/assert.h"
#include "runtime/telemetry/log.h"

namespace sweepd::runtime {
namespace {

constexpr const char* kLoopsPart = "loops";

TimePoint boot_now() {
  timespec time{};
  const int result = clock_gettime(CLOCK_BOOTTIME, &time);
  SWEEPD_ASSERT(result == 0);
  return TimePoint(std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec));
}

std::int64_t milliseconds(Duration time) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(time).count();
}

std::string seconds_text(Duration time) {
  return std::to_string(std::chrono::duration_cast<std::chrono::seconds>(time).count()) + " s";
}

}  // namespace

WatchdogClocks system_watchdog_clocks() { return {.steady = steady_now, .boot = boot_now}; }

LoopWatchdog::LoopWatchdog(std::vector<const LoopPulse*> pulses, Health* health, WatchdogClocks clocks)
    : health_(health), clocks_(std::move(clocks)) {
  for (const LoopPulse* pulse : pulses) loops_.push_back({.pulse = pulse});
  last_look_ = clocks_.boot();
  last_steady_ = clocks_.steady();
  awake_since_ = last_steady_;
  tell_health();
}

void LoopWatchdog::look() {
  const TimePoint now = clocks_.steady();
  look_at_process(now);
  for (std::size_t loop = 0; loop < loops_.size(); ++loop) look_at(loop, now);
  tell_health();
}

/// This thread does nothing but look: where it did not come to it, no thread of the process had its turn.
void LoopWatchdog::look_at_process(TimePoint now) {
  const TimePoint boot = clocks_.boot();
  const Duration stood = boot - last_look_ - kPeriod;
  const Duration suspended = (boot - last_look_) - (now - last_steady_);
  last_look_ = boot;
  last_steady_ = now;
  if (stood < LoopPulse::kStall) return;
  awake_since_ = now;
  ++process_stalls_;
  process_stall_ns_ += std::chrono::nanoseconds(stood).count();
  log_warning("the process stood still: stopped by a signal, frozen, or its machine suspended",
              {{"stood_still_ms", milliseconds(stood)},
               {"suspended_ms", std::max<std::int64_t>(0, milliseconds(suspended))}});
}

void LoopWatchdog::look_at(std::size_t loop, TimePoint now) {
  Watched& watched = loops_[loop];
  const Duration age = std::min(watched.pulse->age(now), now - awake_since_);
  const State state = age >= kHang               ? State::kHangs
                      : age >= LoopPulse::kStall ? State::kStalled
                                                 : State::kPolls;
  const State before = std::exchange(watched.state, state);
  if (state == before) return;
  if (state == State::kPolls) {
    log_warning("the loop goes on",
                {{"loop", loop}, {"stood_still_ms", milliseconds(watched.pulse->last_stall())}});
  } else {
    log_error("a loop stands still: its matches do not tick",
              {{"loop", loop}, {"for_ms", milliseconds(age)}});
  }
}

void LoopWatchdog::tell_health() {
  if (health_ == nullptr) return;
  std::string failure;
  Impact impact = Impact::kNotReady;
  for (std::size_t loop = 0; loop < loops_.size(); ++loop) {
    if (loops_[loop].state == State::kPolls) continue;
    const bool hangs = loops_[loop].state == State::kHangs;
    if (hangs) impact = Impact::kNotAlive;
    failure += (failure.empty() ? "loop " : "; loop ") + std::to_string(loop) +
               " has stood still for more than " + seconds_text(hangs ? kHang : LoopPulse::kStall);
  }
  if (failure.empty()) return health_->set_ok(kLoopsPart);
  health_->set_failing(kLoopsPart, failure, impact);
}

double LoopWatchdog::process_stall_seconds() const {
  return std::chrono::duration<double>(std::chrono::nanoseconds(process_stall_ns_.load())).count();
}

WatchdogThread::WatchdogThread(LoopWatchdog& watchdog) : watchdog_(watchdog), thread_([this] { run(); }) {
  pthread_setname_np(thread_.native_handle(), "watchdog");
}

WatchdogThread::~WatchdogThread() {
  {
    const std::scoped_lock lock(mutex_);
    is_stopped_ = true;
  }
  condition_.notify_one();
  thread_.join();
}

void WatchdogThread::run() {
  std::unique_lock lock(mutex_);
  while (!condition_.wait_for(lock, LoopWatchdog::kPeriod, [this] { return is_stopped_; })) watchdog_.look();
}

}  // namespace sweepd::runtime
