// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "base/result.h"
#include "match/config.h"
#include "replay/reader.h"
#include "replay/verification.h"
#include "sweepd/v1/replay_service.pb.h"

namespace sweepd::wire {

/// Unsigned where the footer has no receipt. Of version 2: what is signed, where it is about this.
void encode_receipt(const replay::Head& head, const replay::Footer& footer, v1::Receipt& message);

/// Claimed scores past this are refused.
inline constexpr int kClaimedScoresMax = 4096;

/// Approved rules past this are refused.
inline constexpr int kApprovedRulesMax = 64;

void encode_approved_rules(const replay::ApprovedRules& rules, v1::ApprovedRules& message);

/// The options; or the field that is wrong, relative to them.
base::Result<replay::VerificationOptions, match::FieldError> decode_verification_options(
    const v1::VerificationOptions& message);

/// All but the receipt.
void encode_verification(const replay::Verification& verification, v1::VerifyReplayResponse& message);

/// The same back; of a fault its place alone. Or what in it cannot be.
base::Result<replay::Verification, std::string> decode_verification(const v1::VerifyReplayResponse& message);

}  // namespace sweepd::wire
