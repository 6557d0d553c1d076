// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "sweepd/v1/replay_service.pb.h"
#include "verification/memory_file.h"
#include "verification/verifier_findings.h"
#include "verification/verifier_limits.h"

namespace sweepd::verification {

/// How much a verifier may answer.
inline constexpr std::size_t kVerdictBytesMax = std::size_t{16} << 20;

enum class VerificationEnd {
  kVerdict,
  kCancelled,
  kTooLong,   ///< More time than it may take.
  kTooLarge,  ///< More memory than it may take; or it broke.
  kFailed,    ///< It could not be run.
};

struct VerificationOutcome {
  VerificationEnd end = VerificationEnd::kFailed;
  v1::VerifyReplayResponse response = {};  ///< kVerdict.
  VerifierFindings findings = {};          ///< The same.
  std::string what = {};                   ///< All others but kCancelled: why, for people.
};

/// Verifies in a process of its own, which has no more memory and time than it may take, whatever the sender
/// of the bytes has thought of, and which is gone when this returns. `options` are those that
/// decode_verification_options takes. Blocks; asks `is_cancelled` ten times a second and ends soon after it
/// said true.
VerificationOutcome verify_in_process(const VerifierLimits& limits, MemoryFile& replay,
                                      const v1::VerificationOptions& options,
                                      const std::function<bool()>& is_cancelled);

}  // namespace sweepd::verification
