// SPDX-License-Identifier: MIT
#include "collision/exit_reasons.h"

#include "base/assert.h"

namespace sweepd::collision {
namespace {

bool left_layer(const Object& object, LayerId layer) { return (object.layers_left >> layer & 1) != 0; }

}  // namespace

ExitReason exit_reason(const EncounterKey& key, const Object& a, const Object& b) {
  SWEEPD_ASSERT(a.id == key.object_a && b.id == key.object_b);
  for (const ExitReason removal :
       {ExitReason::kOwnerLeft, ExitReason::kDespawned, ExitReason::kExpired, ExitReason::kLeftPlayfield}) {
    if (a.removal == removal || b.removal == removal) return removal;
  }
  if (a.disabled() || b.disabled()) return ExitReason::kDisabled;
  if (left_layer(a, key.layer_a) || left_layer(b, key.layer_b)) return ExitReason::kLayerChanged;
  if (a.reshaped || b.reshaped) return ExitReason::kReshaped;
  return ExitReason::kMoved;
}

}  // namespace sweepd::collision
