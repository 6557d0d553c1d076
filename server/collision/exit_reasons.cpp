// SPDX-License-Identifier: MIT
#include "collision/exit_reasons.h"

#include "base/assert.h"

namespace sweepd::collision {

ExitReason exit_reason(const EncounterKey& key, const Object& a, const Object& b,
                       const ObjectTable& objects) {
  SWEEPD_ASSERT(a.id == key.object_a && b.id == key.object_b);
  for (const ExitReason removal :
       {ExitReason::kOwnerLeft, ExitReason::kDespawned, ExitReason::kExpired, ExitReason::kLeftPlayfield}) {
    if (a.removal == removal || b.removal == removal) return removal;
  }
  if (a.is_disabled || b.is_disabled) return ExitReason::kDisabled;
  if (objects.has_left_layer(a, key.layer_a) || objects.has_left_layer(b, key.layer_b)) {
    return ExitReason::kLayerChanged;
  }
  if (a.is_reshaped || b.is_reshaped) return ExitReason::kReshaped;
  return ExitReason::kMoved;
}

}  // namespace sweepd::collision
