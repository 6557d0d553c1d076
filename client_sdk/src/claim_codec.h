// SPDX-License-Identifier: MIT
#pragma once

#include "field_error.h"
#include "sweepd/claims.h"
#include "sweepd/v1/claims.pb.h"
#include "sweepd/v1/types.pb.h"

namespace sweepd::internal {

Checked encode(const HitClaim& claim, v1::HitClaim* out);
ClaimVerdict decode(const v1::ClaimVerdict& verdict);
ClaimCounts decode(const google::protobuf::RepeatedPtrField<v1::ClaimCount>& counts);

}  // namespace sweepd::internal
