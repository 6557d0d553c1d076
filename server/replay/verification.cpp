// SPDX-License-Identifier: MIT
#include "replay/verification.h"

#include <utility>

#include "replay/replay_match.h"
#include "replay/rules_digest.h"
#include "replay/verifier.h"

namespace sweepd::replay {
std::string_view name_of(ReplayVerdict verdict) {
  switch (verdict) {
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

Verification verify(std::string_view bytes, const VerificationOptions& options) {
  Verification result;
  const auto reader = Reader::open(bytes);
  if (!reader) {
    const bool is_unsupported = reader.error().kind == FaultKind::kUnsupportedVersion;
    result.verdict = is_unsupported ? ReplayVerdict::kUnsupportedVersion : ReplayVerdict::kMalformed;
    result.fault = reader.error();
    result.what = text_of(*result.fault);
    return result;
  }
  auto match = match_to_play(*reader);
  if (match) {
    result.rules_digest = rules_digest(reader->config());  // Of a config that has passed its checks.
    Verifier(*reader, std::move(match.value()), result).run(options);
    return result;
  }
  result.verdict = ReplayVerdict::kMalformed;
  result.fault = match.error();
  result.what = text_of(*result.fault);
  return result;
}

}  // namespace sweepd::replay
