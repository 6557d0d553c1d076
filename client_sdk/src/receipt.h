// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "sweepd/replays.h"
#include "sweepd/v1/replay.pb.h"

namespace sweepd::internal {

/// What the signature is over: see the message Receipt.
std::string receipt_bytes(const Receipt& receipt);

void encode(const TicketSubject& subject, v1::TicketSubject& message);
v1::Receipt encode(const Receipt& receipt);
Receipt decode(const v1::Receipt& message);

}  // namespace sweepd::internal
