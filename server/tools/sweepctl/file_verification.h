// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "replay/approved_rules.h"
#include "tools/sweepctl/trusted_keys.h"
#include "tools/sweepctl/verification_report.h"
#include "verification/verifier_limits.h"

namespace sweepd::tools {

/// What holds for all files that are verified.
struct FileVerificationOptions {
  verification::VerifierLimits limits = {};  ///< Of each file's own verifier.
  std::optional<TrustedKeys> keys = {};      ///< Absent: nobody has to have signed.
  /// Of which each match must have some; at most wire::kApprovedRulesMax. Empty: any.
  std::vector<replay::ApprovedRules> approved_rules = {};
  std::string creator = {};  ///< Subject that must have created each match, by its receipt. Empty: any.
};

/// Verifies a file in a process of its own: whatever is in it, there is a report. Takes as much memory as the
/// file is long, kReplayBytesMax at most, beside what its verifier may take.
VerificationReport verify_file(const FileVerificationOptions& options, const VerificationRequest& request);

}  // namespace sweepd::tools
