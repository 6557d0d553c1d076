// SPDX-License-Identifier: MIT
#include "match/scoring_config.h"

#include <algorithm>

#include "match/config.h"

namespace sweepd::match {
namespace {

/// Of rules for the same layers and moment: each of them looks at an encounter, CONTACT in every tick of it.
constexpr std::ptrdiff_t kRulesOfOneMomentMax = 16;

bool is_of_layers(const ScoringRule& rule, const std::string& a, const std::string& b) {
  return (rule.layer_a == a && rule.layer_b == b) || (rule.layer_a == b && rule.layer_b == a);
}

Found check_rules_of_one_moment(const FieldIn<ScoringRule>& field) {
  const ScoringRule& rule = field.owner;
  const auto count = std::ranges::count_if(field.config.scoring, [&](const ScoringRule& other) {
    return other.when == rule.when && is_of_layers(other, rule.layer_a, rule.layer_b);
  });
  if (count <= kRulesOfOneMomentMax) return std::nullopt;
  return FieldError{field.path, "and layer_b have " + std::to_string(count) +
                                    " rules of the same `when`; must have at most " +
                                    std::to_string(kRulesOfOneMomentMax)};
}

}  // namespace

Found check_scored_layers(const FieldIn<ScoringRule>& field) {
  const std::string& a = field.owner.layer_a;
  const std::string& b = field.owner.layer_b;
  const auto collide = [&](const CollidingLayers& pair) {
    return (pair.layer_a == a && pair.layer_b == b) || (pair.layer_a == b && pair.layer_b == a);
  };
  if (std::ranges::any_of(field.config.collides, collide)) return check_rules_of_one_moment(field);
  return FieldError{field.path,
                    "\"" + a + "\" and layer_b \"" + b + "\" do not collide; must be a pair from collides"};
}

Found check_exit_reasons(const FieldIn<ScoringRule>& field) {
  const ScoringRule& rule = field.owner;
  if (rule.exit_reasons.empty()) return std::nullopt;
  if (rule.when != ScoringMoment::kExit) {
    return FieldError{field.path, "is given; must be empty where `when` is not EXIT"};
  }
  for (std::size_t i = 0; i < rule.exit_reasons.size(); ++i) {
    const collision::ExitReason reason = rule.exit_reasons[i];
    const std::string path = indexed(field.path, i);
    if (Found error = check_kind(path, static_cast<std::uint8_t>(reason), numbers_of(reason))) return error;
    if (reason != collision::ExitReason::kMatchEnded) continue;
    return FieldError{path, "is MATCH_ENDED, by which nothing scores"};
  }
  return std::nullopt;
}

}  // namespace sweepd::match
