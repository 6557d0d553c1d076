// SPDX-License-Identifier: MIT
#include "verification_codec.h"

#include "receipt.h"
#include "scoring_codec.h"

namespace sweepd {

const char* to_string(ReplayVerdict verdict) {
  switch (verdict) {
    case ReplayVerdict::kUnknown:
      return "UNKNOWN";
    case ReplayVerdict::kVerified:
      return "VERIFIED";
    case ReplayVerdict::kUnsupportedVersion:
      return "UNSUPPORTED_VERSION";
    case ReplayVerdict::kMalformed:
      return "MALFORMED";
    case ReplayVerdict::kDiverged:
      return "DIVERGED";
    case ReplayVerdict::kScoreMismatch:
      return "SCORE_MISMATCH";
    case ReplayVerdict::kBadSignature:
      return "BAD_SIGNATURE";
    case ReplayVerdict::kRulesMismatch:
      return "RULES_MISMATCH";
  }
  return "";
}

namespace internal {
namespace {

ReplayVerdict decode(v1::ReplayVerdict verdict) {
  switch (verdict) {
    case v1::REPLAY_VERDICT_VERIFIED:
      return ReplayVerdict::kVerified;
    case v1::REPLAY_VERDICT_UNSUPPORTED_VERSION:
      return ReplayVerdict::kUnsupportedVersion;
    case v1::REPLAY_VERDICT_MALFORMED:
      return ReplayVerdict::kMalformed;
    case v1::REPLAY_VERDICT_DIVERGED:
      return ReplayVerdict::kDiverged;
    case v1::REPLAY_VERDICT_SCORE_MISMATCH:
      return ReplayVerdict::kScoreMismatch;
    case v1::REPLAY_VERDICT_BAD_SIGNATURE:
      return ReplayVerdict::kBadSignature;
    case v1::REPLAY_VERDICT_RULES_MISMATCH:
      return ReplayVerdict::kRulesMismatch;
    default:
      return ReplayVerdict::kUnknown;
  }
}

}  // namespace

Verification decode(const v1::VerifyReplayResponse& response) {
  Verification result;
  result.verdict = decode(response.verdict());
  result.what = response.what();
  result.diverging_tick = response.diverging_tick();
  if (response.diverging_object() != 0) result.diverging_object = response.diverging_object();
  result.compared_tick = response.compared_tick();
  if (response.has_receipt()) result.receipt = decode(response.receipt());
  result.is_signed = response.is_signed();
  result.ticks_played = response.ticks_played();
  result.final_digest = response.final_digest();
  for (const auto& score : response.scores()) result.scores.push_back(decode(score));
  result.fault_offset = response.fault_offset();
  result.rules_digest = response.rules_digest();
  return result;
}

}  // namespace internal
}  // namespace sweepd
