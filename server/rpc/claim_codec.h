// SPDX-License-Identifier: MIT
#pragma once

#include "match/claims/claim.h"
#include "match/claims/claim_rules.h"
#include "match/field_check.h"
#include "sweepd/v1/claims.pb.h"
#include "sweepd/v1/types.pb.h"

namespace sweepd::rpc {

/// Fills in defaults; the field that has no counterpart in the domain, or nothing.
std::optional<match::FieldError> decode_claim_rules(const v1::ClaimRules& message, match::ClaimRules& rules);
void encode_claim_rules(const match::ClaimRules& rules, v1::ClaimRules& message);

match::HitClaim decode_claim(const v1::HitClaim& message);
void encode_verdict(const match::ClaimVerdict& verdict, v1::ClaimVerdict& message);
void encode_claim_counts(const match::ClaimCounts& counts, v1::Participant& message);

}  // namespace sweepd::rpc
