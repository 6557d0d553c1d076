// SPDX-License-Identifier: MIT
#pragma once

#include "rpc/endpoints.h"
#include "rpc/stream_calls.h"
#include "runtime/match_registry.h"

namespace sweepd::rpc {

/// What every call may need. Outlives all calls; thread-safe.
struct ServiceContext {
  runtime::MatchRegistry& registry;
  StreamCalls& streams;
  const Endpoints& endpoints;
};

}  // namespace sweepd::rpc
