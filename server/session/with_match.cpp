// SPDX-License-Identifier: MIT
#include "session/with_match.h"

namespace sweepd::session {

base::Result<MatchLoop*, Status> place_of(Backend& backend, const runtime::MatchId& id, int looks) {
  const auto place = backend.registry.find(id);
  if (!place) return match_not_found(id);
  if (looks > kLooksMax) return match_moving(id);
  return backend.loops[*place];
}

}  // namespace sweepd::session
