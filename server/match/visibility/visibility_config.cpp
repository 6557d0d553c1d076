// SPDX-License-Identifier: MIT
#include "match/visibility/visibility_config.h"

#include <algorithm>

#include "match/field_rules.h"

namespace sweepd::match {

Found check_viewer_role(const FieldIn<VisibilityRule>& field) {
  if (field.owner.role == Role::kPlayer || field.owner.role == Role::kObserver) return std::nullopt;
  return FieldError{field.path, "must be PLAYER or OBSERVER: stages see all"};
}

Found check_visible_layer(const FieldIn<VisibilityRule>& field) {
  const std::string& layer = field.owner.layer;
  if (std::ranges::find(field.config.layers, layer) != field.config.layers.end()) return std::nullopt;
  return FieldError{field.path, "is \"" + layer + "\"; must be a name from layers"};
}

Found check_visible_near(const FieldIn<VisibilityRule>& field) {
  const VisibilityRule& rule = field.owner;
  if ((rule.sees == Sight::kNear) == rule.near.empty())
    return FieldError{field.path, "must be the name of a template with sees NEAR, and empty else"};
  return check_anchor(field.path, rule.near, field.config);
}

Found check_visibility(const FieldIn<MatchConfig>& field) {
  const auto& rules = field.owner.visibility;
  if (Found error = check_count(field.path, rules.size(), {0, 2 * collision::kLayersMax})) return error;
  for (std::size_t i = 0; i < rules.size(); ++i) {
    const std::string path = indexed(field.path, i);
    if (Found error = check_fields(path, rules[i], field.config)) return error;
    const auto is_same = [&](const VisibilityRule& other) {
      return other.role == rules[i].role && other.layer == rules[i].layer;
    };
    const auto place = static_cast<std::size_t>(std::ranges::find_if(rules, is_same) - rules.begin());
    if (place == i) continue;
    return FieldError{path + ".layer", "is that of " + indexed(field.path, place) +
                                           " already; one rule for each role and layer is allowed"};
  }
  return std::nullopt;
}

Found check_observer_delay(const FieldIn<MatchConfig>& field) {
  const MatchConfig& config = field.owner;
  const std::uint32_t most = std::min({3600u, config.history_ticks, config.retained_ticks});
  if (config.observer_delay_ticks <= most) return std::nullopt;
  return FieldError{field.path, "is " + std::to_string(config.observer_delay_ticks) +
                                    "; must be 0 to 3600, at most history_ticks and at most retained_ticks"};
}

}  // namespace sweepd::match
