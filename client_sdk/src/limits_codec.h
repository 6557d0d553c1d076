// SPDX-License-Identifier: MIT
#pragma once

#include "field_error.h"
#include "sweepd/types.h"
#include "sweepd/v1/types.pb.h"

namespace sweepd::internal {

Checked encode_limits(const MatchConfig& config, v1::MatchConfig* out);
void decode_limits(const v1::MatchConfig& config, MatchConfig* out);
RejectionCount decode(const v1::RejectionCount& count);

}  // namespace sweepd::internal
