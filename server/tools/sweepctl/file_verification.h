// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "tools/sweepctl/trusted_keys.h"
#include "tools/sweepctl/verification_report.h"
#include "verification/verifier_limits.h"

namespace sweepd::tools {

/// What holds for all files that are verified.
struct FileVerificationOptions {
  verification::VerifierLimits limits = {};  ///< Of each file's own verifier.
  std::optional<TrustedKeys> keys = {};      ///< Absent: no signature is asked for.
};

/// Verifies a file in a process of its own: whatever is in it, there is a report. Takes as much memory as the
/// file is long, kReplayBytesMax at most, beside what its verifier may take.
VerificationReport verify_file(const FileVerificationOptions& options, const VerificationRequest& request);

}  // namespace sweepd::tools
