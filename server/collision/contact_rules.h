// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "collision/layers.h"

namespace sweepd::collision {

/// What contact of two layers does beyond being told; the order of the two means nothing.
struct ContactRule {
  LayerId layer_a = 0;
  LayerId layer_b = 0;
  /// Contact is told and does nothing: it uses up no single-use object and takes no hit points. A graze.
  bool is_sensor = false;
  /// Contact takes hit points again after so many ticks, for as long as it lasts. 0: when it begins, only.
  std::uint32_t damage_interval_ticks = 0;  ///< At most 65535.
  friend bool operator==(const ContactRule&, const ContactRule&) = default;
};

/// The rules of all pairs of layers; of a pair that has none, no field is set.
class ContactRules {
 public:
  /// At most one rule for a pair.
  explicit ContactRules(const std::vector<ContactRule>& rules);

  bool is_sensor(LayerId a, LayerId b) const { return find(a, b).is_sensor; }
  std::uint32_t damage_interval_ticks(LayerId a, LayerId b) const { return find(a, b).damage_interval_ticks; }
  bool has_damage_intervals() const { return has_damage_intervals_; }

 private:
  struct Rule {
    std::uint16_t damage_interval_ticks = 0;
    bool is_sensor = false;
  };

  std::size_t place_of(LayerId a, LayerId b) const { return a * layer_count_ + b; }
  Rule find(LayerId a, LayerId b) const {
    return a < layer_count_ && b < layer_count_ ? rules_[place_of(a, b)] : Rule{};
  }

  std::size_t layer_count_ = 0;  // Up to the last layer that has a rule.
  std::vector<Rule> rules_;      // By both layers: asked for every encounter of a tick.
  bool has_damage_intervals_ = false;
};

}  // namespace sweepd::collision
