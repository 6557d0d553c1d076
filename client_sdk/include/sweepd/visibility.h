// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "sweepd/role.h"

/// Who sees which objects: the rules are in visibility.proto.
namespace sweepd {

/// Which objects of a layer a participant sees.
enum class Sight {
  kOwn,   ///< Its own.
  kTeam,  ///< Those of participants of its role.
  kNear,  ///< Its own, and those within distance_max of an own object of the template `near`.
  kAll    ///< All, as without a rule.
};

/// What a role sees of a layer. What no rule is for is seen by all.
struct VisibilityRule {
  Role role = Role::kPlayer;  ///< kPlayer or kObserver.
  std::string layer = {};
  Sight sees = Sight::kOwn;
  std::string near = {};    ///< kNear: name of a template with an alive_max of at most 64.
  double distance_max = 0;  ///< kNear: playfield units.
};

}  // namespace sweepd
