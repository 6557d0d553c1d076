// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <map>
#include <mutex>

#include "runtime/budgets/budget_key.h"
#include "runtime/clock.h"

namespace sweepd::runtime {

/// Clients of which connections had to be ended, so that one that comes again at once is kept out for a
/// while. Thread-safe.
class Offenders {
 public:
  /// So many within kMemory: a slow machine may make one of a client that means no harm.
  static constexpr std::size_t kOffencesMax = 2;
  static constexpr Duration kMemory = std::chrono::seconds(60);
  static constexpr Duration kPenalty = std::chrono::seconds(10);
  /// Beyond it the one that offended first is forgotten.
  static constexpr std::size_t kKeysMax = 4096;

  void note(const BudgetKey& key, TimePoint now);
  bool is_kept_out(const BudgetKey& key, TimePoint now) const;

 private:
  struct Record {
    TimePoint first;
    TimePoint last;
    std::size_t offences = 0;
  };
  void forget_one(TimePoint now);

  mutable std::mutex mutex_;
  std::map<BudgetKey, Record> records_;  ///< Guarded by mutex_.
};

}  // namespace sweepd::runtime
