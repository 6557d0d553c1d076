// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>

#include "runtime/clock.h"

namespace sweepd::runtime {

/// How many bytes may still come: so many a second, of which one second's worth can be saved up.
class ByteBudget {
 public:
  /// False, and nothing taken: there are not so many left. The limit may be another than before.
  bool take(std::uint64_t bytes, std::uint32_t per_second, TimePoint now) {
    if (!has_begun_) begin(per_second, now);
    const auto since = std::chrono::duration_cast<std::chrono::microseconds>(now - settled_);
    const auto microseconds = static_cast<std::uint64_t>(std::min(since, kSavedMax).count());
    const std::uint64_t full = per_second * kMicroseconds;
    left_ = std::min(left_ + microseconds * per_second, full);
    settled_ += since;
    if (bytes > left_ / kMicroseconds) return false;
    left_ -= bytes * kMicroseconds;
    return true;
  }

 private:
  static constexpr std::uint64_t kMicroseconds = 1'000'000;  ///< In a second.
  static constexpr std::chrono::microseconds kSavedMax = std::chrono::seconds(1);

  void begin(std::uint32_t per_second, TimePoint now) {
    has_begun_ = true;
    settled_ = now;
    left_ = per_second * kMicroseconds;
  }

  bool has_begun_ = false;
  TimePoint settled_;
  std::uint64_t left_ = 0;  ///< In millionths of a byte: nothing is lost to rounding.
};

}  // namespace sweepd::runtime
