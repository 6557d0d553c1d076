// SPDX-License-Identifier: MIT
#include "collision/contact_rules.h"

#include <limits>

namespace sweepd::collision {

ContactRules::ContactRules(const std::vector<ContactRule>& rules) {
  if (!rules.empty()) rules_.resize(std::size_t{kLayersMax} * kLayersMax);
  for (const ContactRule& given : rules) {
    SWEEPD_ASSERT(given.layer_a < kLayersMax && given.layer_b < kLayersMax);
    SWEEPD_ASSERT(given.damage_interval_ticks <= std::numeric_limits<std::uint16_t>::max());
    const Rule rule{static_cast<std::uint16_t>(given.damage_interval_ticks), given.is_sensor};
    rules_[std::size_t{given.layer_a} * kLayersMax + given.layer_b] = rule;
    rules_[std::size_t{given.layer_b} * kLayersMax + given.layer_a] = rule;
    has_damage_intervals_ |= !given.is_sensor && given.damage_interval_ticks > 0;
  }
}

}  // namespace sweepd::collision
