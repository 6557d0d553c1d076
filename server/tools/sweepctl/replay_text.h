// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "replay/comparison.h"
#include "replay/reader.h"
#include "replay/verification.h"
#include "sweepd/replays.h"
#include "tools/sweepctl/json.h"
#include "verification/input_log.h"

namespace sweepd::tools {

/// Replays in words for the terminal and as JSON, each on one line.

/// VERIFIED, 201 ticks, digest c8829a29d5ef01d9, scores "ann" 21, "bob" 72, signature good
std::string verification_text(const replay::Verification& verification);
void add_verification(JsonObject& object, const replay::Verification& verification);
/// "match ended".
const char* name_of(replay::EndReason reason);
/// 0 for VERIFIED, then 10 UNSUPPORTED_VERSION, 11 MALFORMED, 12 DIVERGED, 13 SCORE_MISMATCH, 14
/// BAD_SIGNATURE, 15 RULES_MISMATCH.
int exit_code_of(replay::ReplayVerdict verdict);
inline constexpr int kExitDiffers = 12;

/// What a replay says of itself: several lines, or one of JSON. `pace`: and how frames came, for which all
/// ticks are read.
std::string replay_info_text(const replay::Reader& reader, bool pace = false);
std::string replay_info_json(const std::string& file, const replay::Reader& reader, bool pace = false);

/// The same of an input log.
std::string input_log_info_text(const verification::InputLog& log);
std::string input_log_info_json(const std::string& file, const verification::InputLog& log);

/// Of a receipt that has been checked: match 3f0c, 201 ticks, the match ended, scores "ann" 21, "bob" 72.
std::string checked_receipt_text(const Receipt& receipt);

}  // namespace sweepd::tools
