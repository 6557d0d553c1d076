// SPDX-License-Identifier: MIT
#include "match/first_change.h"

namespace sweepd::match {

const char* first_change(const Frame& frame) {
  if (!frame.spawns.empty()) return "spawns";
  if (!frame.reshapes.empty()) return "reshapes";
  if (!frame.layer_changes.empty()) return "layer_changes";
  if (!frame.moves.empty()) return frame.relative_moves > 0 ? "moves" : "absolute_moves";
  if (!frame.motions.empty()) return "motions";
  if (!frame.disables.empty()) return "disables";
  if (!frame.enables.empty()) return "enables";
  if (!frame.despawns.empty()) return "despawns";
  if (!frame.teleports.empty()) return "teleports";
  if (!frame.freezes.empty()) return "freezes";
  if (!frame.releases.empty()) return "releases";
  if (!frame.transfers.empty()) return "transfers";
  if (!frame.mass_despawns.empty()) return "mass_despawns";
  if (frame.scroll) return "scroll";
  if (!frame.claims.empty()) return "claims";
  return nullptr;
}

}  // namespace sweepd::match
