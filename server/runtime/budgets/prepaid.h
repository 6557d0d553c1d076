// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "runtime/budgets/budgets.h"

namespace sweepd::runtime {

/// Spends a little in advance, so that what comes with every message seldom meets the other threads that
/// spend of the same accounts. What is left at the end is lost, and is less than a hundredth of a second's
/// worth.
class Prepaid {
 public:
  explicit Prepaid(Resource resource) : resource_(resource) {}

  std::optional<Excess> take(Budgets& budgets, const Payers& payers, std::uint64_t amount, TimePoint now) {
    if (amount > left_) {
      const std::uint64_t advance = std::min(amount * kAmounts, payers.least_rate(resource_) / kPartOfRate);
      if (auto excess = budgets.spend(payers, resource_, amount - left_ + advance, now)) return excess;
      left_ = amount + advance;
    }
    left_ -= amount;
    return std::nullopt;
  }

 private:
  static constexpr std::uint64_t kAmounts = 16;
  static constexpr std::uint64_t kPartOfRate = 128;

  const Resource resource_;
  std::uint64_t left_ = 0;
};

}  // namespace sweepd::runtime
