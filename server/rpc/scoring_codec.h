// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "match/config.h"
#include "match/scoreboard.h"
#include "sweepd/v1/types.pb.h"

namespace sweepd::rpc {

/// The field that has no counterpart in the domain, or nothing. Limits are the match's.
std::optional<match::FieldError> decode_scoring(const v1::MatchConfig& message, match::MatchConfig& config);
void encode_scoring(const match::MatchConfig& config, v1::MatchConfig& message);

void encode_score(const match::Score& score, v1::Score& message);

}  // namespace sweepd::rpc
