// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "sweepd/clock.h"
#include "sweepd/v1/clock.pb.h"

namespace sweepd::internal {

v1::Role encode(Role role);
Role decode(v1::Role role);
void encode(const std::vector<Role>& roles, v1::RoleSet* out);
std::vector<Role> decode(const v1::RoleSet& roles);

v1::ClockKind encode(ClockKind kind);
ClockKind decode(v1::ClockKind kind);
void encode(const Lockstep& lockstep, v1::Lockstep* out);
Lockstep decode(const v1::Lockstep& lockstep);

void encode(const ClockControl& control, v1::ClockControl* out);
ClockState decode(const v1::ClockState& clock);
LateReport decode(const v1::LateParticipants& late);

}  // namespace sweepd::internal
