// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sweepd/clock.h"
#include "sweepd/ids.h"
#include "sweepd/role.h"
#include "sweepd/scoring.h"
#include "sweepd/status.h"
#include "sweepd/types.h"

/// Replays of matches, whether they are what they say, and receipts: a server's word for what a match came
/// to.
namespace sweepd {

/// Whose signatures a server's receipts have. Ed25519.
struct PublicKey {
  std::array<std::uint8_t, 32> bytes = {};

  /// SubjectPublicKeyInfo, as `openssl pkey -pubout` writes it.
  std::string to_pem() const;
  static Result<PublicKey> from_pem(const std::string& pem);

  friend bool operator==(const PublicKey&, const PublicKey&) = default;
};

/// Why a replay ends where it does.
enum class ReplayEnd {
  kUnknown,
  kMatchEnded,
  kStillRunning,  ///< It was fetched while the match went on.
  kCut,           ///< It was cut there, or the rest could not be kept.
};

/// A player or stage of a replay.
struct ReplayParticipant {
  ParticipantNumber number = 0;
  std::string name = {};
  Role role = Role::kPlayer;
};

/// Whose ticket it was. Without a name: no ticket was shown.
struct TicketSubject {
  std::string name = {};
  std::string issuer = {};
  std::string tenant = {};
  friend bool operator==(const TicketSubject&, const TicketSubject&) = default;
};

/// A seat that was taken with a ticket. A participant without an entry has shown none: its name is
/// unauthenticated.
struct SeatHolder {
  ParticipantNumber number = 0;
  std::string name = {};  ///< Of the participant.
  TicketSubject subject = {};
};

/// The clock is as said from after a tick on.
struct ReceiptClockChange {
  Tick tick = 0;
  std::int64_t unix_ms = 0;  ///< By the server's clock.
  bool is_paused = false;
  std::uint32_t tick_rate_hz = 0;
  bool is_restart = false;  ///< The match came back after a restart of the server.
};

/// What a replay comes to, and a server's word for it. Compare `match_id` and `nonce` with those of the match
/// that was given out, or you may be shown the receipt of another match.
struct Receipt {
  std::string match_id = {};
  std::string nonce = {};          ///< Bytes: MatchInfo::nonce.
  std::string config_digest = {};  ///< 32 bytes: SHA-256 of the config as it stands in the replay.
  std::string engine_version = {};
  std::uint32_t digest_version = 0;
  ReplayEnd end = ReplayEnd::kUnknown;
  std::uint64_t tick_count = 0;
  std::uint64_t final_digest = 0;
  std::vector<ReplayParticipant> participants = {};  ///< In the order in which they joined; no observers.
  std::uint64_t participants_not_listed = 0;         ///< Further ones.
  std::vector<Score> scores = {};
  std::optional<PublicKey> public_key = {};  ///< Absent: it is not signed.
  std::string signature = {};                ///< 64 bytes; empty: it is not signed.

  /// 2, or 1, which is weaker: the inputs of a match are tied to it by a hash of 64 bits only, for which can
  /// be solved.
  std::uint32_t version = 1;
  // From version 2 on.
  std::string statement = {};       ///< The bytes that are signed, from which all but the two above is read.
  std::string records_digest = {};  ///< 32 bytes: SHA-256 over the chain of the replay's records.
  std::string rules_digest = {};    ///< MatchInfo::rules_digest.
  std::string rules_name = {};      ///< Of approved rules; empty: UNRANKED, the server has not approved them.
  TicketSubject creator = {};       ///< Who created the match.
  std::int64_t create_time_unix_ms = 0;  ///< This and the next two by the server's clock.
  std::int64_t start_time_unix_ms = 0;   ///< Of the first tick.
  std::int64_t end_time_unix_ms = 0;     ///< Of the last tick.
  ClockKind clock = ClockKind::kRealtime;
  std::uint32_t tick_rate_hz = 0;                      ///< At the beginning.
  std::vector<ReceiptClockChange> clock_changes = {};  ///< Pauses and rates; at most 256.
  std::uint64_t clock_changes_not_listed = 0;
  /// At most 1024; past that without those who left without a score.
  std::vector<SeatHolder> seat_holders = {};
  /// Further holders. If more than 0, the receipt does not say whose score is whose.
  std::uint64_t seat_holders_not_listed = 0;
  std::string build = {};   ///< Of the server that signed.
  std::string key_id = {};  ///< 16 hexadecimal digits: the first of SHA-256 over the key.

  /// For keeping it, and for handing it on: what was made by the one is read by the other; and nothing else
  /// is, but with other white space between its words. So what people read in it is what is checked.
  std::string to_json() const;
  static Result<Receipt> from_json(const std::string& json);
};

/// Whether exactly this was signed with the private key of `key`. No server is asked. kPermissionDenied: it
/// is not signed, it is another key's, or not what was signed; the message says which. Where the key comes
/// from is what makes it trustworthy: from the server itself over a connection you trust
/// (Client::get_public_key), or from its operator. It says nothing of the rules, nor of the match's creator:
/// every match of the server has a receipt.
Status check_receipt(const Receipt& receipt, const PublicKey& key);

/// What a match must have been, by its receipt.
struct ReceiptExpectations {
  std::vector<std::string> rules_digests = {};  ///< MatchInfo::rules_digest, one of these; at least one.
  /// Who created it. Name and tenant must be these: of another tenant, the same name is another subject's.
  /// The issuer, too, where one is said.
  TicketSubject creator = {};
};

/// The same, and that the match was played by rules and created by whom the checker expects. A receipt of
/// version 1 says neither, so it is refused. kInvalidArgument: nothing is expected of one of the two.
Status check_receipt(const Receipt& receipt, const PublicKey& key, const ReceiptExpectations& expected);

struct ReplayInfo {
  Receipt receipt = {};     ///< Unsigned where the match still runs.
  std::uint64_t bytes = 0;  ///< Of the replay.
};

/// Takes the pieces of a replay in order. False: it wants no more.
using ReplaySink = std::function<bool(std::string_view bytes)>;

/// Asked now and then, ten times a second or more, during what may take long. False: give up.
using KeepGoing = std::function<bool()>;

/// What a verification comes to; where several would be right, the first of these that is.
enum class ReplayVerdict {
  kUnknown,
  kVerified,
  kUnsupportedVersion,  ///< The server cannot tell.
  kMalformed,           ///< Damaged, cut off, or put together from others.
  kDiverged,            ///< Played again, the match becomes another one than the replay says.
  kScoreMismatch,       ///< It becomes that one, and the scores are not those that are claimed.
  kBadSignature,        ///< All is well but the signature, or there is none of the key that was given.
  kRulesMismatch,       ///< All is well, but the rules are none of those that are approved.
};

/// "VERIFIED".
const char* to_string(ReplayVerdict verdict);

/// Official rules: a config, of which names, seed, broadphase and transport do not matter.
struct ApprovedRules {
  std::string name = {};  ///< For people.
  MatchConfig config = {};
};

struct VerificationOptions {
  /// The replay must be signed with its private key. Absent: it need not be signed.
  std::optional<PublicKey> public_key = {};
  /// MatchInfo::nonce of the match it must be of, or that of the input log (InputLog::create). Empty: any. In
  /// itself it proves nothing, as a forger writes any nonce into a file: of a replay it proves when the run
  /// was only together with `public_key`; of an input log, see InputLog::create.
  std::string nonce = {};
  std::vector<Score> claimed_scores = {};  ///< By participant and name, summed; at most 4096. Others: any.
  /// Of which its match must have some; at most 64. Empty: any.
  std::vector<ApprovedRules> approved_rules = {};
  /// Who must have created the match, by its receipt, as in ReceiptExpectations; needs `public_key`. Without
  /// a name: any.
  TicketSubject creator = {};
  /// From the last byte that was sent to the verdict. While it is being sent, ClientOptions::timeout bounds
  /// how long the server may take no piece of it.
  std::chrono::milliseconds timeout{std::chrono::minutes(9)};
  KeepGoing keep_going = {};
};

struct Verification {
  ReplayVerdict verdict = ReplayVerdict::kUnknown;
  std::string what = {};                       ///< For people: why it is not kVerified.
  Tick diverging_tick = 0;                     ///< kDiverged; 0: before the first tick.
  std::optional<ObjectId> diverging_object{};  ///< kDiverged: the lowest id of those that differ,
  Tick compared_tick = 0;                      ///< after this tick.
  std::optional<Receipt> receipt = {};         ///< What the replay says of itself, where it could be read.
  bool is_signed = false;                      ///< It has a signature, which is right for its key.
  std::uint64_t ticks_played = 0;
  std::uint64_t final_digest = 0;  ///< After the last tick that was played, recomputed.
  std::vector<Score> scores = {};  ///< Recomputed, after that tick; whatever the verdict.
  std::uint64_t fault_offset = 0;  ///< kMalformed: the byte where it shows.
  std::string rules_digest = {};   ///< MatchInfo::rules_digest of its config; empty where that is unreadable.
};

}  // namespace sweepd
