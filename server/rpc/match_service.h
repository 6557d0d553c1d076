// SPDX-License-Identifier: MIT
#pragma once

#include "rpc/loop_server.h"

namespace sweepd::rpc {

/// Starts to accept the unary calls of MatchService.
void accept_match_calls(LoopServer& server);

}  // namespace sweepd::rpc
