// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "base/result.h"
#include "match/config.h"
#include "runtime/match_clock.h"
#include "sweepd/v1/clock.pb.h"

namespace sweepd::rpc {

/// `field`: where the set is, for the error.
base::Result<match::RoleSet, match::FieldError> decode_roles(const v1::RoleSet& message,
                                                             const std::string& field);
void encode_roles(match::RoleSet roles, v1::RoleSet& message);

/// Fills in defaults.
base::Result<match::LockstepConfig, match::FieldError> decode_lockstep(const v1::Lockstep& message);
void encode_lockstep(const match::LockstepConfig& config, v1::Lockstep& message);

/// The fields of errors are relative to the message; empty: the whole of it.
base::Result<runtime::ClockControl, match::FieldError> decode_clock_control(const v1::ClockControl& message);
void encode_clock_state(const runtime::ClockState& clock, v1::ClockState& message);

}  // namespace sweepd::rpc
