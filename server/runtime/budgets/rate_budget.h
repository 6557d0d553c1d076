// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "runtime/clock.h"

namespace sweepd::runtime {

/// How much of something may happen: so much a second, of which some seconds' worth can be saved up. What is
/// taken may exceed what is left; then there is none until that is made up for. Thread-safe, but for `limit`.
class RateBudget {
 public:
  static constexpr std::chrono::seconds kSavedMax{4};

  /// 0: no limit.
  explicit RateBudget(std::uint64_t per_second) : per_second_(per_second) {}
  RateBudget() : RateBudget(0) {}
  void limit(std::uint64_t per_second) { per_second_ = per_second; }

  bool has_room(TimePoint now) const { return missing(now) == Duration::zero(); }
  /// For how long there is no room.
  Duration missing(TimePoint now) const {
    if (per_second_ == 0) return Duration::zero();
    const Count excess = spent_until_.load(std::memory_order_relaxed) - count(now + kSavedMax);
    return std::chrono::duration_cast<Duration>(std::chrono::nanoseconds(std::max<Count>(excess, 0)));
  }
  /// All that can be saved up has been.
  bool is_full(TimePoint now) const { return spent_until_.load(std::memory_order_relaxed) <= count(now); }

  void take(std::uint64_t amount, TimePoint now) {
    if (per_second_ == 0) return;
    const auto cost = static_cast<Count>(amount * kNanoseconds / per_second_);
    Count until = spent_until_.load(std::memory_order_relaxed);
    while (!spent_until_.compare_exchange_weak(until, std::max(until, count(now)) + cost,
                                               std::memory_order_relaxed)) {
    }
  }

  std::uint64_t per_second() const { return per_second_; }

 private:
  using Count = std::chrono::nanoseconds::rep;
  static constexpr std::uint64_t kNanoseconds = 1'000'000'000;

  static Count count(TimePoint time) {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(time.time_since_epoch()).count();
  }

  std::uint64_t per_second_;
  std::atomic<Count> spent_until_ = 0;  ///< When all that was taken will have been earned.
};

}  // namespace sweepd::runtime
