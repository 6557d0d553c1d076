// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "base/result.h"
#include "match/config.h"
#include "replay/reader.h"
#include "replay/verification.h"
#include "sweepd/v1/replay_service.pb.h"

namespace sweepd::wire {

void encode_receipt(const replay::Head& head, const replay::Footer& footer, v1::Receipt& message);

/// Claimed scores past this are refused.
inline constexpr int kClaimedScoresMax = 4096;

/// The options; or the field that is wrong, relative to them.
base::Result<replay::VerificationOptions, match::FieldError> decode_verification_options(
    const v1::VerificationOptions& message);

/// All but the receipt.
void encode_verification(const replay::Verification& verification, v1::VerifyReplayResponse& message);

/// The same back; of a fault its place alone. Or what in it cannot be.
base::Result<replay::Verification, std::string> decode_verification(const v1::VerifyReplayResponse& message);

}  // namespace sweepd::wire
