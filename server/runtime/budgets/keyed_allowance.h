// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <map>
#include <mutex>

#include "base/assert.h"
#include "runtime/budgets/budget_key.h"

namespace sweepd::runtime {

/// So much of something that many share, of which each key has a part at most: one key never takes all of it.
/// Thread-safe.
class KeyedAllowance {
 public:
  KeyedAllowance(std::size_t most, std::size_t most_per_key) : most_(most), most_per_key_(most_per_key) {}

  enum class Taken { kAll, kKeyFull, kFull };
  /// All of it, or nothing.
  Taken take(const BudgetKey& key, std::size_t amount) {
    const std::lock_guard lock(mutex_);
    const auto entry = by_key_.find(key);
    const std::size_t of_key = entry == by_key_.end() ? 0 : entry->second;
    if (amount > most_per_key_ - of_key) return Taken::kKeyFull;
    if (amount > most_ - taken_) return Taken::kFull;
    if (amount == 0) return Taken::kAll;
    by_key_[key] += amount;
    taken_ += amount;
    return Taken::kAll;
  }

  void give_back(const BudgetKey& key, std::size_t amount) {
    if (amount == 0) return;
    const std::lock_guard lock(mutex_);
    const auto entry = by_key_.find(key);
    SWEEPD_ASSERT(entry != by_key_.end() && entry->second >= amount);
    entry->second -= amount;
    taken_ -= amount;
    if (entry->second == 0) by_key_.erase(entry);
  }

  std::size_t most() const { return most_; }
  std::size_t most_per_key() const { return most_per_key_; }

 private:
  const std::size_t most_;
  const std::size_t most_per_key_;
  std::mutex mutex_;
  std::size_t taken_ = 0;                    ///< Guarded by mutex_.
  std::map<BudgetKey, std::size_t> by_key_;  ///< Guarded by mutex_: those that have taken some.
};

}  // namespace sweepd::runtime
