// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "match/scoreboard.h"
#include "replay/approved_rules.h"
#include "replay/observed_pace.h"
#include "replay/reader.h"
#include "replay/signing_key.h"

namespace sweepd::replay {

/// What a verification comes to; where several would be right, the first of these that is.
enum class ReplayVerdict : std::uint8_t {
  kVerified = 1,
  kUnsupportedVersion = 2,  ///< This build cannot tell.
  kMalformed = 3,           ///< The file is damaged, cut off, or put together from others.
  kDiverged = 4,            ///< Played again, the match becomes another one than the file says.
  kScoreMismatch = 5,       ///< It becomes that one, and the scores are not those that are claimed.
  kBadSignature = 6,        ///< All is well but the signature, or there is none of the key that was given.
  kRulesMismatch = 7,       ///< All is well, but the rules are none of those that are approved.
};

/// "VERIFIED".
std::string_view name_of(ReplayVerdict verdict);

struct VerificationOptions {
  /// Given: the replay must have a receipt of this key. Absent: a receipt is only checked to be its own
  /// key's, which proves nothing about its holder.
  std::optional<PublicKey> public_key = {};
  /// Claimed outside of the file, each by participant and name; all others may have any score.
  std::vector<match::Score> claimed_scores = {};
  /// The nonce that the match was given: a replay of another match DIVERGED before its first tick. Without
  /// `public_key` it proves nothing: a forger writes any nonce into a file. Absent: any.
  std::optional<std::string> nonce = {};
  /// Rules of which the match must have some; empty: any.
  std::vector<ApprovedRules> approved_rules = {};
  /// Who must have created the match, by the receipt (TicketSubject::is_meant_by); without `public_key` it
  /// proves nothing.
  std::optional<TicketSubject> creator = {};
  /// Asked before each tick. True: the verification ends soon, and what it comes to means nothing.
  std::function<bool()> is_cancelled = {};
  /// Told before each tick that is played how many have been, of how many. True: as is_cancelled.
  std::function<bool(std::uint64_t done, std::uint64_t all)> is_hopeless = {};
};

enum class SignatureState : std::uint8_t {
  kNone,
  kGood,       ///< Of the key that was given.
  kUntrusted,  ///< Right; no key was given to compare.
  kBad,
};

struct Verification {
  ReplayVerdict verdict = ReplayVerdict::kVerified;
  std::string what = {};                ///< For people: why, where it is not VERIFIED.
  std::optional<FileFault> fault = {};  ///< MALFORMED, UNSUPPORTED_VERSION.
  Tick diverging_tick = 0;              ///< DIVERGED; 0 for the match before its first tick.
  /// DIVERGED: the lowest id of the objects that differ after `compared_tick`, the tick of the first key
  /// frame from there on. Absent: no key frame follows, or none within 36,000
  /// ticks and 64 MiB, or all objects are the same there.
  std::optional<match::ObjectId> diverging_object = {};
  Tick compared_tick = 0;
  /// What came of playing it: whatever the verdict, of all ticks up to `ticks_played`.
  std::uint64_t ticks_played = 0;
  std::uint64_t digest = 0;
  std::vector<match::Score> scores = {};
  std::vector<match::Score> recorded_scores = {};  ///< As the footer has them.
  /// Rows of players who left that the match has forgotten (Scoreboard::kFormerScoresMax): what they had is
  /// in no sum.
  std::uint64_t scores_not_listed = 0;
  SignatureState signature = SignatureState::kNone;
  std::uint32_t receipt_version = 0;  ///< 0: there is none. 1 is weaker, see receipt.h.
  std::string rules_digest = {};      ///< Of the config; empty where that cannot be read.
  ObservedPace pace = {};
};

/// Plays a replay again, as fast as it goes, and compares: each tick's digest, and what the key frames hold
/// (those of versions that this build knows). A digest names no object; where one differs the match is played
/// on to the next key frame of the file, and compared with that. The broadphase is the fastest, whichever the
/// match had, and the past is kept only where claims strike by it: neither changes a digest or a score. So of
/// other matches the past that is in a key frame, for questions about it, is not compared. What comes after
/// the tick in which a match diverges, and after what is compared there, is unpacked and read, but not
/// played; what a real file would not unpack to is not even read, and `what` says so.
Verification verify(std::string_view bytes, const VerificationOptions& options = {});

}  // namespace sweepd::replay
