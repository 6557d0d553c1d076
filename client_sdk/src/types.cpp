// SPDX-License-Identifier: MIT
#include "sweepd/types.h"

namespace sweepd {

const char* to_string(ExitReason reason) {
  switch (reason) {
    case ExitReason::kNone:
      return "";
    case ExitReason::kMoved:
      return "MOVED";
    case ExitReason::kDespawned:
      return "DESPAWNED";
    case ExitReason::kExpired:
      return "EXPIRED";
    case ExitReason::kLeftPlayfield:
      return "LEFT_PLAYFIELD";
    case ExitReason::kLayerChanged:
      return "LAYER_CHANGED";
    case ExitReason::kDisabled:
      return "DISABLED";
    case ExitReason::kReshaped:
      return "RESHAPED";
    case ExitReason::kOwnerLeft:
      return "OWNER_LEFT";
    case ExitReason::kMatchEnded:
      return "MATCH_ENDED";
    case ExitReason::kSwept:
      return "SWEPT";
    case ExitReason::kConsumed:
      return "CONSUMED";
    case ExitReason::kDestroyed:
      return "DESTROYED";
  }
  return "";
}

}  // namespace sweepd
