// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "match/config.h"
#include "match/rejection_counts.h"
#include "sweepd/v1/types.pb.h"

namespace sweepd::rpc {

/// The field that has no counterpart in the domain, or nothing. Ranges are the match's.
std::optional<match::FieldError> decode_limits(const v1::MatchConfig& message, match::MatchConfig& config);
void encode_limits(const match::MatchConfig& config, v1::MatchConfig& message);

/// Those that are not 0, by reason.
void encode_rejection_counts(const match::RejectionCounts& counts, v1::Participant& message);

}  // namespace sweepd::rpc
