// SPDX-License-Identifier: MIT
#pragma once

#include "session/unary_call.h"
#include "sweepd/v1/replay_service.pb.h"

namespace sweepd::session {

// The unary method of ReplayService: see the contract.

void get_public_key(UnaryCall<v1::GetPublicKeyRequest, v1::GetPublicKeyResponse>& call);

}  // namespace sweepd::session
