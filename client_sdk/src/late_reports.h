// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>

#include "sweepd/clock.h"

namespace sweepd::internal {

/// Late reports on their way from the stream's thread to the game's. A game that is not interested need not
/// poll them: past `kMax` the oldest are dropped, and GetMatch has the counts of all.
class LateReports {
 public:
  static constexpr std::size_t kMax = 1024;

  void put(LateReport report) {
    const std::lock_guard lock(mutex_);
    if (reports_.size() == kMax) reports_.pop_front();
    reports_.push_back(std::move(report));
  }

  std::optional<LateReport> take() {
    const std::lock_guard lock(mutex_);
    if (reports_.empty()) return std::nullopt;
    LateReport report = std::move(reports_.front());
    reports_.pop_front();
    return report;
  }

 private:
  std::mutex mutex_;
  std::deque<LateReport> reports_;
};

}  // namespace sweepd::internal
