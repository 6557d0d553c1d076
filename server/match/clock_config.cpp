// SPDX-License-Identifier: MIT
#include "match/clock_config.h"

namespace sweepd::match {

Found check_required_roles(const FieldIn<LockstepConfig>& field) {
  if (!field.owner.required_roles.contains(Role::kObserver)) return std::nullopt;
  return FieldError{field.path,
                    "has OBSERVER; must be of PLAYER and STAGE: an observer's frames only acknowledge"};
}

}  // namespace sweepd::match
