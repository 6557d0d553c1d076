// SPDX-License-Identifier: MIT
#pragma once

#include "rpc/loop_server.h"

namespace sweepd::rpc {

/// Starts to accept the calls of ReplayService.
void accept_replay_calls(LoopServer& server);

}  // namespace sweepd::rpc
