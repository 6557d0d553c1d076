// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "base/result.h"
#include "match/config.h"
#include "sweepd/v1/types.pb.h"

namespace sweepd::wire {

/// Fills in defaults; refuses what has no counterpart in the domain (an unknown enumerator). Limits are the
/// match's.
base::Result<match::MatchConfig, match::FieldError> decode_config(const v1::MatchConfig& message);

/// All but the pixels of masks, which would outweigh the rest in every message.
void encode_config(const match::MatchConfig& config, v1::MatchConfig& message);
/// The pixels, where `message` has the rest.
void encode_mask_rows(const match::MatchConfig& config, v1::MatchConfig& message);

/// Nothing for UNSPECIFIED or an unknown role.
std::optional<match::Role> decode_role(v1::Role role);
v1::Role encode_role(match::Role role);

}  // namespace sweepd::wire
