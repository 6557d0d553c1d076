// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "match/config.h"
#include "match/destruction.h"
#include "match/field_check.h"
#include "match/frame.h"
#include "match/owner_change.h"
#include "sweepd/v1/types.pb.h"

namespace sweepd::rpc {

/// What contact does, what may be done to many objects, and what a match is told of its game: the field that
/// has no counterpart in the domain, or nothing. Limits are the match's.
std::optional<match::FieldError> decode_outcome_config(const v1::MatchConfig& message,
                                                       match::MatchConfig& config);
void encode_outcome_config(const match::MatchConfig& config, v1::MatchConfig& message);

/// All of a frame that concerns many objects at once.
void decode_mass_changes(const v1::Frame& message, match::Frame& frame);

void encode_owner_change(const match::OwnerChange& change, match::Tick tick, v1::OwnerChange& message);

void encode_destruction(const match::Destruction& destruction, match::Tick tick, v1::Destruction& message);

}  // namespace sweepd::rpc
