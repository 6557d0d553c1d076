// SPDX-License-Identifier: MIT
#include "match/clock_config.h"

namespace sweepd::match {

Found find_error(const LockstepConfig& config) {
  if (Found error = check_number("lockstep.deadline_ms", config.deadline_ms, kDeadlineRangeMs)) return error;
  if (config.required_roles.contains(Role::kObserver)) {
    return FieldError{"lockstep.required_roles",
                      "has OBSERVER; must be of PLAYER and STAGE: an observer's frames only acknowledge"};
  }
  return std::nullopt;
}

}  // namespace sweepd::match
