// SPDX-License-Identifier: MIT
#pragma once

#include "field_error.h"
#include "sweepd/types.h"
#include "sweepd/v1/types.pb.h"

namespace sweepd::internal {

Checked encode(const MatchConfig& config, v1::MatchConfig* out);
MatchConfig decode(const v1::MatchConfig& config);

}  // namespace sweepd::internal
