// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "replay/approved_rules.h"
#include "replay/testimony.h"
#include "tools/sweepctl/trusted_keys.h"
#include "tools/sweepctl/verification_report.h"
#include "verification/verifier_limits.h"

namespace sweepd::tools {

/// What holds for all files that are verified.
struct FileVerificationOptions {
  verification::VerifierLimits limits = {};  ///< Of each file's own verifier.
  std::optional<TrustedKeys> keys = {};      ///< Absent: no signature is asked for.
  /// Of which each match must have some; at most wire::kApprovedRulesMax. Empty: any.
  std::vector<replay::ApprovedRules> approved_rules = {};
  /// Who must have created each match, by its receipt; needs `keys`. Not known: any.
  replay::TicketSubject creator = {};
};

/// Verifies a file in a process of its own: whatever is in it, there is a report. Takes as much memory as the
/// file is long, kReplayBytesMax at most, beside what its verifier may take.
VerificationReport verify_file(const FileVerificationOptions& options, const VerificationRequest& request);

/// The same of bytes that were read before, for who goes on with them: the file may be another by then, and
/// is not looked at.
VerificationReport verify_bytes(const FileVerificationOptions& options, const VerificationRequest& request,
                                std::string_view bytes);

}  // namespace sweepd::tools
