// SPDX-License-Identifier: MIT
#include "match/scoring_config.h"

#include <algorithm>

#include "match/config.h"

namespace sweepd::match {
namespace {

bool is_pair(const CollidingLayers& pair, const std::string& a, const std::string& b) {
  return (pair.layer_a == a && pair.layer_b == b) || (pair.layer_a == b && pair.layer_b == a);
}

Found check_exit_reasons(const std::string& field, const ScoringRule& rule) {
  if (rule.exit_reasons.empty()) return std::nullopt;
  if (rule.when != ScoringMoment::kExit) {
    return FieldError{field + ".exit_reasons", "is given; must be empty where `when` is not EXIT"};
  }
  for (std::size_t i = 0; i < rule.exit_reasons.size(); ++i) {
    const std::string reason_field = field + "." + indexed("exit_reasons", i);
    const auto reason = static_cast<std::uint8_t>(rule.exit_reasons[i]);
    if (Found error = check_kind(reason_field, reason, {1, 12})) return error;
    if (rule.exit_reasons[i] != collision::ExitReason::kMatchEnded) continue;
    return FieldError{reason_field, "is MATCH_ENDED, by which nothing scores"};
  }
  return std::nullopt;
}

Found check_rule(const std::string& field, const ScoringRule& rule,
                 const std::vector<CollidingLayers>& collides) {
  if (Found error = check_bytes(field + ".name", rule.name, {0, kNameBytesMax})) return error;
  const auto collide = [&](const CollidingLayers& pair) { return is_pair(pair, rule.layer_a, rule.layer_b); };
  if (std::ranges::none_of(collides, collide)) {
    return FieldError{field + ".layer_a", "\"" + rule.layer_a + "\" and layer_b \"" + rule.layer_b +
                                              "\" do not collide; must be a pair from collides"};
  }
  if (Found error = check_kind(field + ".when", static_cast<std::uint8_t>(rule.when), {1, 4})) return error;
  if (Found error = check_kind(field + ".credit", static_cast<std::uint8_t>(rule.credit), {1, 2}))
    return error;
  if (rule.points < -kPointsMax || rule.points > kPointsMax) {
    return FieldError{field + ".points", "is " + std::to_string(rule.points) + "; must be " +
                                             std::to_string(-kPointsMax) + " to " +
                                             std::to_string(kPointsMax)};
  }
  if (Found error = check_number(field + ".cooldown_ticks", rule.cooldown_ticks, {0, 36'000})) return error;
  return check_exit_reasons(field, rule);
}

}  // namespace

Found find_scoring_error(const std::vector<ScoringRule>& rules,
                         const std::vector<CollidingLayers>& collides) {
  if (Found error = check_count("scoring", rules.size(), {0, kScoringRulesMax})) return error;
  for (std::size_t i = 0; i < rules.size(); ++i) {
    if (Found error = check_rule(indexed("scoring", i), rules[i], collides)) return error;
  }
  return std::nullopt;
}

}  // namespace sweepd::match
