// SPDX-License-Identifier: MIT
#pragma once

#include <time.h>

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace sweepd::verification {

/// Foretells how long a verification takes by how far it has come: what is in a log tells little of what it
/// costs to play, and its first seconds tell much. In time of the processor, so that a busy machine condemns
/// nothing. The first ticks of a log may not be like the rest: a verification is given up early only where it
/// would take many times its limit, and near its limit where it would pass it. For one thread.
class VerificationPace {
 public:
  explicit VerificationPace(std::chrono::nanoseconds limit) : limit_(limit) {}

  /// `done` of `all` ticks have been played.
  bool is_hopeless(std::uint64_t done, std::uint64_t all) {
    const auto now = std::chrono::steady_clock::now();
    if (has_given_up_ || now < next_look_) return has_given_up_;
    next_look_ = now + kLookInterval;
    const auto used = processor_time() - start_;
    // Compared as shares of the whole, in floating point: nothing depends on the last digit.
    const double share_of_time = used / std::chrono::duration<double>(limit_);
    const double share_of_ticks = static_cast<double>(done + 1) / static_cast<double>(all + 1);
    const double excess_max = std::min(kExcessMax, 1 / share_of_time);
    has_given_up_ = used > kTrial && share_of_time > share_of_ticks * excess_max;
    return has_given_up_;
  }
  bool has_given_up() const { return has_given_up_; }

 private:
  static constexpr double kExcessMax = 5;
  static constexpr std::chrono::milliseconds kLookInterval{100};
  static constexpr std::chrono::seconds kTrial{2};

  static std::chrono::nanoseconds processor_time() {
    timespec time{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
  }

  const std::chrono::nanoseconds limit_;
  const std::chrono::nanoseconds start_ = processor_time();
  std::chrono::steady_clock::time_point next_look_ = {};
  bool has_given_up_ = false;
};

}  // namespace sweepd::verification
