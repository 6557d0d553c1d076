// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "runtime/budgets/budget_key.h"
#include "runtime/clock.h"

namespace sweepd::runtime {

/// How many bytes may be written: so many a second, of which some seconds' worth can be saved up. What is
/// taken may exceed what is left; then there is none until that is made up for. Thread-safe.
class WriteBudget {
 public:
  static constexpr std::chrono::seconds kSavedMax{4};

  /// 0: no limit.
  explicit WriteBudget(std::uint64_t bytes_per_second) : bytes_per_second_(bytes_per_second) {}

  bool has_room(TimePoint now) const {
    return bytes_per_second_ == 0 || spent_until_.load(std::memory_order_relaxed) <= count(now + kSavedMax);
  }
  /// All that can be saved up has been.
  bool is_full(TimePoint now) const { return spent_until_.load(std::memory_order_relaxed) <= count(now); }

  void take(std::uint64_t bytes, TimePoint now) {
    if (bytes_per_second_ == 0) return;
    const auto cost = static_cast<Count>(bytes * kNanoseconds / bytes_per_second_);
    Count until = spent_until_.load(std::memory_order_relaxed);
    while (!spent_until_.compare_exchange_weak(until, std::max(until, count(now)) + cost,
                                               std::memory_order_relaxed)) {
    }
  }

  std::uint64_t bytes_per_second() const { return bytes_per_second_; }

 private:
  using Count = std::chrono::nanoseconds::rep;
  static constexpr std::uint64_t kNanoseconds = 1'000'000'000;

  static Count count(TimePoint time) {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(time.time_since_epoch()).count();
  }

  const std::uint64_t bytes_per_second_;
  std::atomic<Count> spent_until_ = 0;  ///< When all that was taken will have been earned.
};

/// A budget for each key. Who goes and comes back finds what is left of its own. Thread-safe.
class WriteBudgets {
 public:
  explicit WriteBudgets(std::uint64_t bytes_per_second) : bytes_per_second_(bytes_per_second) {}

  std::shared_ptr<WriteBudget> of(const BudgetKey& key, TimePoint now) {
    const std::lock_guard lock(mutex_);
    if (budgets_.size() >= tidy_at_) forget_full(now);
    std::shared_ptr<WriteBudget>& budget = budgets_[key];
    if (!budget) budget = std::make_shared<WriteBudget>(bytes_per_second_);
    return budget;
  }

 private:
  static constexpr std::size_t kTidyAtLeast = 1024;

  /// Of those without users, new ones would be the same.
  void forget_full(TimePoint now) {
    std::erase_if(budgets_, [now](const auto& entry) {
      return entry.second.use_count() == 1 && entry.second->is_full(now);
    });
    tidy_at_ = std::max(kTidyAtLeast, budgets_.size() * 2);
  }

  const std::uint64_t bytes_per_second_;
  std::mutex mutex_;
  std::map<BudgetKey, std::shared_ptr<WriteBudget>> budgets_;  ///< Guarded by mutex_.
  std::size_t tidy_at_ = kTidyAtLeast;                         ///< Guarded by mutex_.
};

}  // namespace sweepd::runtime
