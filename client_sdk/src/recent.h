// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>

namespace sweepd::internal {

/// Reports on their way from the stream's thread to the game's. A game that is not interested need not poll
/// them: past `kMax` the oldest are dropped.
template <typename Report>
class Recent {
 public:
  static constexpr std::size_t kMax = 16'384;

  void put(Report report) {
    const std::lock_guard lock(mutex_);
    if (reports_.size() == kMax) reports_.pop_front();
    reports_.push_back(std::move(report));
  }

  /// Those of which `is_undone` says so did not happen.
  template <typename IsUndone>
  void undo(const IsUndone& is_undone) {
    const std::lock_guard lock(mutex_);
    std::erase_if(reports_, is_undone);
  }

  std::optional<Report> take() {
    const std::lock_guard lock(mutex_);
    if (reports_.empty()) return std::nullopt;
    Report report = std::move(reports_.front());
    reports_.pop_front();
    return report;
  }

 private:
  std::mutex mutex_;
  std::deque<Report> reports_;
};

}  // namespace sweepd::internal
