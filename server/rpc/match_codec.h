// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "match/match.h"
#include "rpc/endpoints.h"
#include "runtime/match_host.h"
#include "sweepd/v1/types.pb.h"

namespace sweepd::rpc {

/// On the match's loop.
void encode_match(const runtime::MatchHost& host, const Endpoints& endpoints, v1::Match* message);
void encode_participant(const match::Participant& participant, v1::Participant* message);
void encode_encounter(const collision::Encounter& encounter, v1::Encounter* message);

/// Adds a tick to an update that may already hold earlier ones.
void append_report(const runtime::TickReport& report, v1::TickUpdate* update);

}  // namespace sweepd::rpc
