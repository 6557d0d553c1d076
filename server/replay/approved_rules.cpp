// SPDX-License-Identifier: MIT
#include "replay/approved_rules.h"

#include <algorithm>

#include "base/visible_text.h"
#include "match/rules.h"

namespace sweepd::replay {

std::optional<std::string> find_rules_mismatch(const match::MatchConfig& config,
                                               const std::vector<ApprovedRules>& approved) {
  if (approved.empty()) return std::nullopt;
  const std::vector<match::Rule> rules = match::rules_of(config);
  const auto difference_from = [&](const ApprovedRules& other) {
    return first_difference(rules, match::rules_of(other.config));
  };
  for (const ApprovedRules& other : approved) {
    if (!difference_from(other)) return std::nullopt;
  }
  const auto namesake = std::ranges::find_if(
      approved, [&](const ApprovedRules& other) { return other.config.ruleset.name == config.ruleset.name; });
  const ApprovedRules& nearest = namesake == approved.end() ? approved.front() : *namesake;
  const auto difference = difference_from(nearest);
  return difference->field + " is " + difference->first + "; the approved rules " +
         base::visible(nearest.name) + " have " + difference->second;
}

}  // namespace sweepd::replay
