// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>

#include "match/enum_range.h"
#include "match/field.h"
#include "match/role.h"

namespace sweepd::match {

/// Which objects of a layer a participant sees. The numbers are those of the public contract.
enum class Sight : std::uint8_t {
  kOwn = 1,
  kTeam = 2,  ///< Those of participants of its own role.
  kNear = 3,  ///< Its own, and those within a distance of some of its own.
  kAll = 4,
};
constexpr Range numbers_of(Sight) { return range_from<Sight::kOwn>(); }

/// What a role sees of a layer. Roles and layers without a rule: all.
struct VisibilityRule {
  Role role = Role::kPlayer;  ///< kPlayer or kObserver, which owns nothing.
  std::string layer = {};
  Sight sees = Sight::kOwn;
  std::string near = {};           ///< kNear: the template of own objects from which the distance counts,
  std::uint32_t distance_max = 0;  ///< in subunits.
  friend bool operator==(const VisibilityRule&, const VisibilityRule&) = default;
};

Found check_viewer_role(const FieldIn<VisibilityRule>& field);
Found check_visible_layer(const FieldIn<VisibilityRule>& field);
Found check_visible_near(const FieldIn<VisibilityRule>& field);

constexpr void for_each_field(std::type_identity<VisibilityRule>, const auto& visit) {
  visit(SWEEPD_FIELD(VisibilityRule, role).by(check_viewer_role));
  visit(SWEEPD_FIELD(VisibilityRule, layer).by(check_visible_layer));
  visit(SWEEPD_FIELD(VisibilityRule, sees));
  visit(SWEEPD_FIELD(VisibilityRule, distance_max).in({0, (1u << 31) - 1}));
  visit(SWEEPD_FIELD(VisibilityRule, near).by(check_visible_near));
}

/// Each, and that no two are of one role and layer.
Found check_visibility(const FieldIn<MatchConfig>& field);
/// What was so many ticks ago has to be known still.
Found check_observer_delay(const FieldIn<MatchConfig>& field);

}  // namespace sweepd::match
