// SPDX-License-Identifier: MIT
#include "collision/contact_rules.h"

#include <algorithm>
#include <limits>

namespace sweepd::collision {

ContactRules::ContactRules(const std::vector<ContactRule>& rules) {
  for (const ContactRule& rule : rules) {
    SWEEPD_ASSERT(rule.layer_a < kLayersMax && rule.layer_b < kLayersMax);
    SWEEPD_ASSERT(rule.damage_interval_ticks <= std::numeric_limits<std::uint16_t>::max());
    layer_count_ = std::max<std::size_t>(layer_count_, std::max(rule.layer_a, rule.layer_b) + 1u);
    has_damage_intervals_ |= !rule.is_sensor && rule.damage_interval_ticks > 0;
  }
  rules_.resize(layer_count_ * layer_count_);
  for (const ContactRule& given : rules) {
    const Rule rule{static_cast<std::uint16_t>(given.damage_interval_ticks), given.is_sensor};
    rules_[place_of(given.layer_a, given.layer_b)] = rule;
    rules_[place_of(given.layer_b, given.layer_a)] = rule;
  }
}

}  // namespace sweepd::collision
