// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "replay/verification.h"
#include "sweepd/v1/replay.pb.h"
#include "tools/sweepctl/verification_request.h"

namespace sweepd::tools {

/// Why there is no verdict.
enum class VerificationObstacle {
  kNone,
  kBadRequest,  ///< The line of the manifest, or what it names.
  kUnreadable,  ///< The file.
  kTooLong,     ///< It would take more of a processor than it may.
  kTooLarge,    ///< It would take more memory than it may, or it broke what plays it.
  kFailed,      ///< The verifier cannot be run.
};

// Stable; beside those of verdicts (exit_code_of), which they follow.
inline constexpr int kExitBadRequest = 20;
inline constexpr int kExitUnreadable = 21;
inline constexpr int kExitTooLong = 22;
inline constexpr int kExitTooLarge = 23;
inline constexpr int kExitVerifierFailed = 24;

/// What became of one file.
struct VerificationReport {
  VerificationRequest request = {};
  VerificationObstacle obstacle = VerificationObstacle::kNone;
  replay::Verification verification = {};  ///< Where there is no obstacle.
  std::string what = {};                   ///< For people: the obstacle.
  std::string sha256 = {};                 ///< Of the file's bytes; empty: they were not read.
  bool is_input_log = false;               ///< The file begins as one.
  v1::Receipt receipt = {};                ///< As the replay has it; empty where there is none.
  std::string key_id = {};                 ///< Of the trusted key that has signed it; empty: none has.
  std::string duplicate_of =
      {};  ///< The first file before it that is VERIFIED and has the same bytes; empty: none.
  std::string same_run_as = {};  ///< The first before it that is VERIFIED and came to the same
                                 ///< digest in as many ticks, in other bytes; empty: none.
};

/// "VERIFIED" and the other verdicts; or the obstacle, "TOO_LONG".
std::string_view name_of_result(const VerificationReport& report);
int exit_code_of(const VerificationReport& report);

/// One line without its end.
std::string report_json(const VerificationReport& report);
std::string report_text(const VerificationReport& report);

}  // namespace sweepd::tools
