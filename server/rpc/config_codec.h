// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.h"
#include "match/config.h"
#include "sweepd/v1/types.pb.h"

namespace sweepd::rpc {

/// Fills in the defaults of the contract. An error where a value cannot even be said in the domain's terms (an unknown
/// enumerator); all other checks are match::find_error's.
base::Result<match::MatchConfig, match::FieldError> decode_config(const v1::MatchConfig& message);

void encode_config(const match::MatchConfig& config, v1::MatchConfig* message);

/// Nothing for an unknown or unspecified role.
std::optional<match::Role> decode_role(v1::Role role);
v1::Role encode_role(match::Role role);

}  // namespace sweepd::rpc
