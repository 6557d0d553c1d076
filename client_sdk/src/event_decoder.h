// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "sweepd/status.h"
#include "sweepd/types.h"
#include "sweepd/v1/types.pb.h"

namespace sweepd::internal {

/// Appends the update's events to `out`; kInternal if they make no sense, and `out` is then as it was.
Status decode_events(const v1::TickUpdate& update, std::vector<Event>* out);

/// "TOO_FAST", or its number where a newer server knows it and this SDK does not.
std::string reason_name(v1::RejectionReason reason);
BrokenRule decode(const v1::BrokenRule& broken);
Rejection decode(const v1::Rejection& rejection);
Encounter decode(const v1::Encounter& encounter);

}  // namespace sweepd::internal
