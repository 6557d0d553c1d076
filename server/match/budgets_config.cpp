// SPDX-License-Identifier: MIT
#include "match/budgets_config.h"

namespace sweepd::match {

collision::TickBudget tick_budget_of(const Budgets& budgets) {
  constexpr std::uint32_t kNoLimit = collision::TickBudget::kNoLimit;
  return {.overlapping_pairs_max = budgets.overlapping_pairs_max.value_or(kNoLimit),
          .tests_max = budgets.tests_per_tick_max.value_or(kNoLimit),
          .events_max = budgets.events_per_tick_max.value_or(kNoLimit)};
}

}  // namespace sweepd::match
