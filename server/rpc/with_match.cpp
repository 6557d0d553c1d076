// SPDX-License-Identifier: MIT
#include "rpc/with_match.h"

namespace sweepd::rpc {

base::Result<LoopServer*, grpc::Status> place_of(Backend& backend, const runtime::MatchId& id, int looks) {
  const auto place = backend.registry.find(id);
  if (!place) return match_not_found(id);
  if (looks > kLooksMax) return match_moving(id);
  return backend.loops[*place].get();
}

}  // namespace sweepd::rpc
