// SPDX-License-Identifier: MIT
#include "match/budget_maxima.h"

#include <algorithm>
#include <string>

namespace sweepd::match {
namespace {

using collision::BroadphaseKind;

FieldError beyond(std::string field, const std::string& what, std::uint64_t most) {
  return {std::move(field), what + "; this server allows at most " + std::to_string(most)};
}

Found check(const char* field, const std::optional<std::uint32_t>& budget, std::uint32_t most) {
  if (*budget <= most) return std::nullopt;
  return beyond(std::string("budgets.") + field, "is " + std::to_string(*budget), most);
}

Found check_broadphase(const BudgetMaxima& maxima, const MatchConfig& config) {
  if (maxima.offers(config.broadphase)) return std::nullopt;
  return FieldError{"broadphase", "is one that this server does not offer"};
}

Found check_masks(const BudgetMaxima& maxima, const MatchConfig& config) {
  std::uint64_t bytes = 0;
  for (const MaskConfig& mask : config.masks) bytes += mask.rows.size();
  if (bytes <= maxima.mask_bytes_max) return std::nullopt;
  return beyond("masks", "have " + std::to_string(bytes) + " bytes of rows in all", maxima.mask_bytes_max);
}

/// So many objects fit into the history; a config that does not say how many it needs has no more than these.
std::uint64_t kept_objects_max(const BudgetMaxima& maxima, const MatchConfig& config) {
  const std::uint64_t bytes_per_object = kHistoryBytesPerObject * std::max(config.history_ticks, 1u);
  return std::max<std::uint64_t>(maxima.history_bytes_max / bytes_per_object, 1);
}

std::uint32_t parts_max_within(const BudgetMaxima& maxima, const MatchConfig& config) {
  return std::min(maxima.parts_max, parts_max_of(config.broadphase));
}

Found check_objects(const BudgetMaxima& maxima, const MatchConfig& config) {
  const std::optional<std::uint32_t>& objects_max = config.budgets.objects_max;
  if (*objects_max <= kept_objects_max(maxima, config))
    return check("objects_max", objects_max, maxima.objects_max);
  return beyond("history_ticks",
                "is " + std::to_string(config.history_ticks) + ", of " + std::to_string(*objects_max) +
                    " objects (budgets.objects_max)",
                maxima.history_bytes_max / kHistoryBytesPerObject / *objects_max);
}

}  // namespace

std::uint32_t parts_max_of(BroadphaseKind kind) {
  switch (kind) {
    case BroadphaseKind::kBruteForce:
    case BroadphaseKind::kApproach:
      return 2'048;
    case BroadphaseKind::kSectorGrid:
      return 16'384;
    case BroadphaseKind::kSweepAndPrune:
      break;
  }
  return static_cast<std::uint32_t>(kBudgetRange.max);
}

namespace {

/// Given what it does not say; what is filled in is marked, for it is the server's and no rule.
Budgets filled_budgets(const BudgetMaxima& maxima, const MatchConfig& config) {
  Budgets budgets = config.budgets;
  std::uint32_t row = 1;
  const auto fill = [&](std::optional<std::uint32_t>& budget, std::uint64_t most) {
    if (!budget) {
      budget = static_cast<std::uint32_t>(most);
      budgets.filled_in |= row;
    }
    row <<= 1;
  };
  fill(budgets.objects_max, std::min<std::uint64_t>(maxima.objects_max, kept_objects_max(maxima, config)));
  fill(budgets.parts_max, parts_max_within(maxima, config));
  fill(budgets.overlapping_pairs_max, maxima.overlapping_pairs_max);
  fill(budgets.tests_per_tick_max, maxima.tests_per_tick_max);
  fill(budgets.events_per_tick_max, maxima.events_per_tick_max);
  fill(budgets.selected_objects_max, maxima.selected_objects_max);
  return budgets;
}

}  // namespace

Budgets given_budgets(const Budgets& budgets) {
  Budgets given;
  std::uint32_t row = 1;
  for_each_field(std::type_identity<Budgets>(), [&](const auto& field) {
    if ((budgets.filled_in & row) == 0) given.*field.member = budgets.*field.member;
    row <<= 1;
  });
  return given;
}

Found fill_budgets(const BudgetMaxima& maxima, MatchConfig& config) {
  if (Found error = check_broadphase(maxima, config)) return error;
  if (Found error = check_masks(maxima, config)) return error;
  config.budgets = filled_budgets(maxima, config);
  const Budgets& budgets = config.budgets;
  if (Found error = check_objects(maxima, config)) return error;
  if (Found error = check("parts_max", budgets.parts_max, parts_max_within(maxima, config))) return error;
  if (Found error =
          check("overlapping_pairs_max", budgets.overlapping_pairs_max, maxima.overlapping_pairs_max))
    return error;
  if (Found error = check("tests_per_tick_max", budgets.tests_per_tick_max, maxima.tests_per_tick_max))
    return error;
  if (Found error = check("events_per_tick_max", budgets.events_per_tick_max, maxima.events_per_tick_max))
    return error;
  return check("selected_objects_max", budgets.selected_objects_max, maxima.selected_objects_max);
}

}  // namespace sweepd::match
