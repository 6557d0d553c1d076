// SPDX-License-Identifier: MIT
#include "match/scoring_config.h"

#include <algorithm>

#include "match/config.h"

namespace sweepd::match {

Found check_scored_layers(const FieldIn<ScoringRule>& field) {
  const std::string& a = field.owner.layer_a;
  const std::string& b = field.owner.layer_b;
  const auto collide = [&](const CollidingLayers& pair) {
    return (pair.layer_a == a && pair.layer_b == b) || (pair.layer_a == b && pair.layer_b == a);
  };
  if (std::ranges::any_of(field.config.collides, collide)) return std::nullopt;
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
