// SPDX-License-Identifier: MIT
#pragma once

#include "sweepd/replays.h"
#include "sweepd/v1/replay_service.pb.h"

namespace sweepd::internal {

Verification decode(const v1::VerifyReplayResponse& response);

}  // namespace sweepd::internal
