// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "base/result.h"
#include "runtime/match/match_host.h"
#include "sweepd/v1/world_feed.pb.h"

namespace sweepd::session {

/// What a subscription asks of the world, into its options; or the field at fault.
match::Found decode_world(const v1::WorldInterest& message, const runtime::MatchHost& host,
                          runtime::SubscriptionOptions& options);

/// Whether a match has room for one more interest of a watcher or an observer. Players and stages always
/// have it. `own_id`: of the channel by which it is told, or was before its stream broke; 0: none.
bool has_room_for_world(const runtime::MatchHost& host, const runtime::WorldInterest& interest,
                        match::Viewer viewer, std::uint64_t own_id);

/// Of a stream that has a seat already.
base::Result<runtime::SubscriptionOptions::World, match::FieldError> decode_further_world(
    const v1::WorldInterest& message, const runtime::MatchHost& host);

/// That a frame has tags, in a match that keeps none, or nothing.
match::Found find_tag_error(const match::Frame& frame, const match::MatchConfig& config);

/// As bytes of a v1::WorldTick.
std::string encode_world_tick(const runtime::WorldTick& tick);

}  // namespace sweepd::session
