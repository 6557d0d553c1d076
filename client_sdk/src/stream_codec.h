// SPDX-License-Identifier: MIT
#pragma once

#include "sweepd/stream.h"
#include "sweepd/v1/stream.pb.h"
#include "sweepd/v1/subscription.pb.h"

namespace sweepd::internal {

void encode(const EventFilter& filter, v1::EventFilter* out);
void encode(const QueuePolicy& policy, v1::QueuePolicy* out);

Undone decode(const v1::Undone& undone);

/// Whether it holds events back: sequence numbers have gaps then.
bool holds_back(const EventFilter& filter);

}  // namespace sweepd::internal
