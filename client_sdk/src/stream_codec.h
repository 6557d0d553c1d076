// SPDX-License-Identifier: MIT
#pragma once

#include "field_error.h"
#include "sweepd/stream.h"
#include "sweepd/v1/stream.pb.h"
#include "sweepd/v1/subscription.pb.h"
#include "sweepd/v1/world_feed.pb.h"
#include "sweepd/world.h"

namespace sweepd::internal {

void encode(const EventFilter& filter, v1::EventFilter* out);
void encode(const QueuePolicy& policy, v1::QueuePolicy* out);

Undone decode(const v1::Undone& undone);

/// `out` is whole only where there is no error.
Checked encode(const WorldInterest& interest, v1::WorldInterest* out);

/// Whether it holds events back: sequence numbers have gaps then.
bool holds_back(const EventFilter& filter);

}  // namespace sweepd::internal
