// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <random>

#include "sweepd/stream.h"

namespace sweepd::internal {

/// How long to wait before each attempt to come back: twice as long each time, up to the longest, and each
/// shortened at random by up to half.
class ReconnectPauses {
 public:
  explicit ReconnectPauses(const ReconnectOptions& options) : options_(options), next_(options.first_pause) {}

  void restart() { next_ = options_.first_pause; }

  std::chrono::milliseconds next() {
    const auto full = std::min(next_, options_.longest_pause);
    next_ = full * 2;
    const auto half = full.count() / 2;
    return std::chrono::milliseconds(full.count() -
                                     std::uniform_int_distribution<std::int64_t>(0, half)(random_));
  }

 private:
  const ReconnectOptions options_;
  std::chrono::milliseconds next_;
  std::minstd_rand random_{std::random_device{}()};
};

}  // namespace sweepd::internal
