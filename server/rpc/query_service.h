// SPDX-License-Identifier: MIT
#pragma once

#include "rpc/loop_server.h"

namespace sweepd::rpc {

/// Starts to accept the calls of QueryService.
void accept_query_calls(LoopServer& server);

}  // namespace sweepd::rpc
