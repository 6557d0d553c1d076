// SPDX-License-Identifier: MIT
#include "replay/approved_rules.h"

#include <algorithm>

#include "base/visible_text.h"
#include "match/budget_maxima.h"
#include "match/rules.h"

namespace sweepd::replay {
namespace {

/// The server filled in fewer parts for its broadphase, which the rules digest leaves out.
bool has_fewer_parts(const match::MatchConfig& config, const match::MatchConfig& approved) {
  return !match::given_budgets(config.budgets).parts_max &&
         match::parts_max_of(config.broadphase) < match::parts_max_of(approved.broadphase);
}

}  // namespace

std::optional<std::string> mismatch_with_nearest(const match::MatchConfig& config,
                                                 const std::vector<ApprovedRules>& approved) {
  if (approved.empty()) return std::nullopt;
  const auto namesake = std::ranges::find_if(
      approved, [&](const ApprovedRules& other) { return other.config.ruleset.name == config.ruleset.name; });
  const ApprovedRules& nearest = namesake == approved.end() ? approved.front() : *namesake;
  const auto difference = first_difference(match::rules_of(config), match::rules_of(nearest.config));
  if (!difference) return std::nullopt;
  return difference->field + " is " + difference->first + "; the approved rules " +
         base::visible(nearest.name) + " have " + difference->second;
}

std::optional<std::string> find_rules_mismatch(const match::MatchConfig& config,
                                               const std::vector<ApprovedRules>& approved) {
  if (approved.empty()) return std::nullopt;
  const std::vector<match::Rule> rules = match::rules_of(config);
  for (const ApprovedRules& other : approved) {
    const bool is_alike = !first_difference(rules, match::rules_of(other.config));
    if (is_alike && !has_fewer_parts(config, other.config)) return std::nullopt;
  }
  if (auto mismatch = mismatch_with_nearest(config, approved)) return mismatch;
  return "broadphase leaves the match fewer parts than its approved rules have";
}

}  // namespace sweepd::replay
