// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "runtime/match/match_host.h"
#include "sweepd/v1/world_feed.pb.h"

namespace sweepd::session {

/// What a subscription asks of the world, into its options; or the field at fault.
match::Found decode_world(const v1::WorldInterest& message, const runtime::MatchHost& host,
                          runtime::SubscriptionOptions& options);

/// As bytes of a v1::WorldTick.
std::string encode_world_tick(const runtime::WorldTick& tick);

}  // namespace sweepd::session
