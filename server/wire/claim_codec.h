// SPDX-License-Identifier: MIT
#pragma once

#include "match/claims/claim.h"
#include "sweepd/v1/claims.pb.h"
#include "sweepd/v1/types.pb.h"

namespace sweepd::wire {

match::HitClaim decode_claim(const v1::HitClaim& message);
void encode_verdict(const match::ClaimVerdict& verdict, v1::ClaimVerdict& message);
void encode_claim_counts(const match::ClaimCounts& counts, v1::Participant& message);

}  // namespace sweepd::wire
