// SPDX-License-Identifier: MIT
#pragma once

#include "rpc/unary_call.h"
#include "sweepd/v1/query_service.pb.h"

namespace sweepd::rpc {

using ValidateCall = UnaryCall<v1::ValidateHitsRequest, v1::ValidateHitsResponse>;

/// Judges a batch of claims, in slices: the loop has other matches.
void validate_hits(ValidateCall& call);

}  // namespace sweepd::rpc
