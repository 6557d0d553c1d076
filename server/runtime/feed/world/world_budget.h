// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>

#include "match/participant.h"

namespace sweepd::runtime {

/// How many bytes a channel may still tell: so many a second of the config's ticks, a second's worth at most.
class WorldBudget {
 public:
  /// `bytes_per_second` 0: without a bound.
  WorldBudget(std::uint32_t bytes_per_second, std::uint32_t tick_rate_hz)
      : bytes_per_second_(bytes_per_second), tick_rate_hz_(tick_rate_hz) {}

  bool is_bounded() const { return bytes_per_second_ != 0; }
  /// So many ticks have run.
  void earn(match::Tick ticks) {
    const auto most = std::int64_t{bytes_per_second_} * tick_rate_hz_;
    const auto earned = std::int64_t{bytes_per_second_} *
                        static_cast<std::int64_t>(std::min<match::Tick>(ticks, tick_rate_hz_));
    credit_ = std::min(most, credit_ + earned);
  }
  /// What is told over it, as some things never wait, is owed for a second at most.
  void spend(std::size_t bytes) {
    credit_ = std::max(credit_ - static_cast<std::int64_t>(bytes) * tick_rate_hz_,
                       -bytes_per_second_ * tick_rate_hz_);
  }
  /// Less than 0 where more was told than had been thought.
  std::int64_t bytes_left() const { return credit_ / tick_rate_hz_; }

 private:
  std::int64_t bytes_per_second_;
  std::int64_t tick_rate_hz_;
  std::int64_t credit_ = 0;  ///< Bytes times ticks a second.
};

}  // namespace sweepd::runtime
