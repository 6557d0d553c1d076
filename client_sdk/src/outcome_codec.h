// SPDX-License-Identifier: MIT
#pragma once

#include "field_error.h"
#include "sweepd/types.h"
#include "sweepd/v1/types.pb.h"

namespace sweepd::internal {

/// The part of a config that is about what contact does and what may be done to many objects.
void encode_outcome(const MatchConfig& config, v1::MatchConfig* out);
void decode_outcome(const v1::MatchConfig& config, MatchConfig* out);

Checked encode(const Selection& selection, std::uint32_t layer_count, v1::Selection* out);
OwnerChange decode(const v1::OwnerChange& change);
Destruction decode(const v1::Destruction& destruction);

}  // namespace sweepd::internal
