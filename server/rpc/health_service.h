// SPDX-License-Identifier: MIT
#pragma once

#include "rpc/loop_server.h"

namespace sweepd::rpc {

/// Starts to answer the standard health protocol.
///
/// gRPC has a service for it, but that one is served by threads of its own, to which gRPC then also gives a
/// part of the loop's connections: their messages would reach the loop by way of another thread.
void accept_health_calls(LoopServer& server);

}  // namespace sweepd::rpc
