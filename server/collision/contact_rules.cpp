// SPDX-License-Identifier: MIT
#include "collision/contact_rules.h"

#include <algorithm>

namespace sweepd::collision {

ContactRules::ContactRules(const std::vector<ContactRule>& rules) : rules_(rules) {
  for (const ContactRule& rule : rules_) {
    if (rule.is_sensor) ++sensors_;
    has_damage_intervals_ |= !rule.is_sensor && rule.damage_interval_ticks > 0;
  }
}

ContactRule ContactRules::find(LayerId a, LayerId b) const {
  const auto found = std::ranges::find_if(rules_, [&](const ContactRule& rule) {
    return (rule.layer_a == a && rule.layer_b == b) || (rule.layer_a == b && rule.layer_b == a);
  });
  return found == rules_.end() ? ContactRule{} : *found;
}

}  // namespace sweepd::collision
