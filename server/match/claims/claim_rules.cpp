// SPDX-License-Identifier: MIT
#include "match/claims/claim_rules.h"

namespace sweepd::match {

Found find_error(const ClaimRules& rules) {
  if (Found error = check_kind("claims.policy", static_cast<std::uint8_t>(rules.policy), {1, 3}))
    return error;
  if (Found error = check_number("claims.rewind_ticks_max", rules.rewind_ticks_max, {0, kRewindTicksMax})) {
    return error;
  }
  if (Found error = check_number("claims.tolerance_max", rules.tolerance_max, {0, kToleranceMax}))
    return error;
  if (Found error =
          check_number("claims.delay_allowance_ticks", rules.delay_allowance_ticks, {0, kRewindTicksMax})) {
    return error;
  }
  return check_number("claims.hits_per_shot_max", rules.hits_per_shot_max, {0, kHitsPerShotMax});
}

}  // namespace sweepd::match
