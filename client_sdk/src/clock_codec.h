// SPDX-License-Identifier: MIT
#pragma once

#include "sweepd/clock.h"
#include "sweepd/v1/clock.pb.h"

namespace sweepd::internal {

v1::Role encode(Role role);
Role decode(v1::Role role);

void encode(const ClockControl& control, v1::ClockControl* out);
ClockState decode(const v1::ClockState& clock);

}  // namespace sweepd::internal
