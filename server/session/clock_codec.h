// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.h"
#include "match/field_check.h"
#include "runtime/match/match_clock.h"
#include "sweepd/v1/clock.pb.h"

namespace sweepd::session {

/// The fields of errors are relative to the message; empty: the whole of it.
base::Result<runtime::ClockControl, match::FieldError> decode_clock_control(const v1::ClockControl& message);
void encode_clock_state(const runtime::ClockState& clock, v1::ClockState& message);

}  // namespace sweepd::session
