// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "replay/little_endian.h"
#include "replay/verification.h"

namespace sweepd::verification {

// What a verifier has found that the contract's v1::VerifyReplayResponse has no field for. It stands before
// that in the verifier's answer: each number in 8 bytes, little-endian.
struct VerifierFindings {
  std::uint64_t scores_not_listed = 0;
  replay::ObservedPace pace = {};
};

inline constexpr std::size_t kFindingsBytes = 3 * sizeof(std::uint64_t);

inline std::string encode_findings(const replay::Verification& verification) {
  std::string bytes;
  replay::append_number(bytes, verification.scores_not_listed);
  replay::append_number(bytes, verification.pace.slowest);
  replay::append_number(bytes, verification.pace.fastest);
  return bytes;
}

/// Takes them from the beginning of an answer. False: it is too short.
inline bool take_findings(std::string_view& answer, VerifierFindings& findings) {
  if (answer.size() < kFindingsBytes) return false;
  const auto take = [&answer](std::uint64_t& number) {
    number = replay::read_number<std::uint64_t>(answer);
    answer.remove_prefix(sizeof number);
  };
  take(findings.scores_not_listed);
  take(findings.pace.slowest);
  take(findings.pace.fastest);
  return true;
}

}  // namespace sweepd::verification
