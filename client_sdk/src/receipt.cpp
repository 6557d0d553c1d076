// SPDX-License-Identifier: MIT
#include "receipt.h"

#include <google/protobuf/util/json_util.h>

#include <algorithm>
#include <concepts>
#include <utility>

#include "clock_codec.h"
#include "public_key.h"
#include "scoring_codec.h"

namespace sweepd {
namespace internal {
namespace {

constexpr std::size_t kConfigDigestBytes = 32;
constexpr std::size_t kSignatureBytes = 64;

template <std::unsigned_integral Number>
void append_number(std::string& bytes, Number number) {
  for (std::size_t i = 0; i < sizeof number; ++i) {
    bytes += static_cast<char>(static_cast<std::uint64_t>(number) >> (8 * i) & 0xff);
  }
}

void append_text(std::string& bytes, const std::string& text) {
  append_number(bytes, static_cast<std::uint32_t>(text.size()));
  bytes += text;
}

ReplayEnd decode(v1::ReplayEnd end) {
  switch (end) {
    case v1::REPLAY_END_MATCH_ENDED:
      return ReplayEnd::kMatchEnded;
    case v1::REPLAY_END_STILL_RUNNING:
      return ReplayEnd::kStillRunning;
    case v1::REPLAY_END_CUT:
      return ReplayEnd::kCut;
    default:
      return ReplayEnd::kUnknown;
  }
}

// Kinds of clocks are numbered alike, from 0 here and from 1 there.
constexpr int clock_number(ClockKind kind) { return static_cast<int>(kind) + 1; }
static_assert(clock_number(ClockKind::kRealtime) == v1::CLOCK_KIND_REALTIME);
static_assert(clock_number(ClockKind::kLockstep) == v1::CLOCK_KIND_LOCKSTEP);

TicketSubject decode(const v1::TicketSubject& message) {
  return {message.name(), message.issuer(), message.tenant()};
}

/// What came with version 2.
void encode_statement(const Receipt& receipt, v1::Receipt& message) {
  message.set_version(receipt.version);
  message.set_statement(receipt.statement);
  message.set_records_digest(receipt.records_digest);
  message.set_rules_digest(receipt.rules_digest);
  message.set_rules_name(receipt.rules_name);
  if (!receipt.creator.name.empty()) encode(receipt.creator, *message.mutable_creator());
  message.set_create_time_unix_ms(receipt.create_time_unix_ms);
  message.set_start_time_unix_ms(receipt.start_time_unix_ms);
  message.set_end_time_unix_ms(receipt.end_time_unix_ms);
  message.set_clock(static_cast<v1::ClockKind>(clock_number(receipt.clock)));
  message.set_tick_rate_hz(receipt.tick_rate_hz);
  for (const ReceiptClockChange& change : receipt.clock_changes) {
    v1::ReceiptClockChange& entry = *message.add_clock_changes();
    entry.set_tick(change.tick);
    entry.set_unix_ms(change.unix_ms);
    entry.set_is_paused(change.is_paused);
    entry.set_tick_rate_hz(change.tick_rate_hz);
    entry.set_is_restart(change.is_restart);
  }
  message.set_clock_changes_not_listed(receipt.clock_changes_not_listed);
  for (const SeatHolder& holder : receipt.seat_holders) {
    v1::SeatHolder& entry = *message.add_seat_holders();
    entry.set_number(holder.number);
    entry.set_name(holder.name);
    encode(holder.subject, *entry.mutable_subject());
  }
  message.set_seat_holders_not_listed(receipt.seat_holders_not_listed);
  message.set_build(receipt.build);
  message.set_key_id(receipt.key_id);
}

void decode_statement(const v1::Receipt& message, Receipt& receipt) {
  receipt.version = message.version();
  receipt.records_digest = message.records_digest();
  receipt.rules_digest = message.rules_digest();
  receipt.rules_name = message.rules_name();
  receipt.creator = decode(message.creator());
  receipt.create_time_unix_ms = message.create_time_unix_ms();
  receipt.start_time_unix_ms = message.start_time_unix_ms();
  receipt.end_time_unix_ms = message.end_time_unix_ms();
  const int clock = std::clamp<int>(message.clock(), v1::CLOCK_KIND_REALTIME, v1::CLOCK_KIND_LOCKSTEP);
  receipt.clock = static_cast<ClockKind>(clock - clock_number(ClockKind::kRealtime));
  receipt.tick_rate_hz = message.tick_rate_hz();
  for (const auto& change : message.clock_changes())
    receipt.clock_changes.push_back(
        {change.tick(), change.unix_ms(), change.is_paused(), change.tick_rate_hz(), change.is_restart()});
  receipt.clock_changes_not_listed = message.clock_changes_not_listed();
  for (const auto& holder : message.seat_holders())
    receipt.seat_holders.push_back({holder.number(), holder.name(), decode(holder.subject())});
  receipt.seat_holders_not_listed = message.seat_holders_not_listed();
  receipt.build = message.build();
  receipt.key_id = message.key_id();
}

}  // namespace

void encode(const TicketSubject& subject, v1::TicketSubject& message) {
  message.set_name(subject.name);
  message.set_issuer(subject.issuer);
  message.set_tenant(subject.tenant);
}

v1::Receipt encode(const Receipt& receipt) {
  v1::Receipt message;
  message.set_match_id(receipt.match_id);
  message.set_nonce(receipt.nonce);
  message.set_config_digest(receipt.config_digest);
  message.set_engine_version(receipt.engine_version);
  message.set_digest_version(receipt.digest_version);
  message.set_end(static_cast<v1::ReplayEnd>(receipt.end));
  message.set_tick_count(receipt.tick_count);
  message.set_final_digest(receipt.final_digest);
  for (const ReplayParticipant& participant : receipt.participants) {
    v1::ReplayParticipant& entry = *message.add_participants();
    entry.set_number(participant.number);
    entry.set_name(participant.name);
    entry.set_role(internal::encode(participant.role));
  }
  message.set_participants_not_listed(receipt.participants_not_listed);
  for (const Score& score : receipt.scores) encode(score, message.add_scores());
  if (receipt.public_key) {
    message.set_public_key({receipt.public_key->bytes.begin(), receipt.public_key->bytes.end()});
  }
  message.set_signature(receipt.signature);
  if (receipt.version >= 2) encode_statement(receipt, message);
  return message;
}

/// Whether the receipt says what was signed, and nothing else.
bool is_as_signed(const Receipt& receipt) {
  v1::Receipt statement;
  if (!statement.ParseFromString(receipt.statement)) return false;
  v1::Receipt message = encode(receipt);
  message.clear_public_key();
  message.clear_signature();
  message.clear_statement();
  return message.SerializeAsString() == statement.SerializeAsString();
}

std::string receipt_bytes(const Receipt& receipt) {
  std::string bytes = "sweepd receipt 1\n";
  append_text(bytes, receipt.match_id);
  bytes += receipt.config_digest;
  append_text(bytes, receipt.engine_version);
  append_number(bytes, receipt.digest_version);
  append_text(bytes, receipt.nonce);
  append_number(bytes, static_cast<std::uint8_t>(receipt.end));
  append_number(bytes, receipt.tick_count);
  append_number(bytes, receipt.final_digest);
  append_number(bytes, static_cast<std::uint32_t>(receipt.participants.size()));
  for (const ReplayParticipant& participant : receipt.participants) {
    append_number(bytes, participant.number);
    append_number(bytes, static_cast<std::uint8_t>(internal::encode(participant.role)));
    append_text(bytes, participant.name);
  }
  append_number(bytes, receipt.participants_not_listed);
  append_number(bytes, static_cast<std::uint32_t>(receipt.scores.size()));
  for (const Score& score : receipt.scores) {
    append_number(bytes, score.participant);
    append_number(bytes, static_cast<std::uint8_t>(score.has_left ? 1 : 0));
    append_number(bytes, static_cast<std::uint64_t>(score.score));
    append_text(bytes, score.name);
  }
  return bytes;
}

namespace {

/// All but key, signature and statement.
Receipt decode_fields(const v1::Receipt& message) {
  Receipt receipt;
  receipt.match_id = message.match_id();
  receipt.nonce = message.nonce();
  receipt.config_digest = message.config_digest();
  receipt.engine_version = message.engine_version();
  receipt.digest_version = message.digest_version();
  receipt.end = decode(message.end());
  receipt.tick_count = message.tick_count();
  receipt.final_digest = message.final_digest();
  for (const auto& participant : message.participants()) {
    receipt.participants.push_back(
        {participant.number(), participant.name(), internal::decode(participant.role())});
  }
  receipt.participants_not_listed = message.participants_not_listed();
  for (const auto& score : message.scores()) receipt.scores.push_back(internal::decode(score));
  if (message.version() >= 2) decode_statement(message, receipt);
  return receipt;
}

}  // namespace

// Only what is signed is believed, not what stands beside it.
Receipt decode(const v1::Receipt& message) {
  v1::Receipt statement;
  const bool has_statement = !message.statement().empty() && statement.ParseFromString(message.statement());
  Receipt receipt = decode_fields(has_statement ? statement : message);
  receipt.statement = message.statement();
  PublicKey key;
  if (message.public_key().size() == key.bytes.size()) {
    std::ranges::copy(message.public_key(), key.bytes.begin());
    receipt.public_key = key;
  }
  receipt.signature = message.signature();
  return receipt;
}

namespace {

/// Without the white space between its words; that within strings stays.
std::string without_space(const std::string& json) {
  std::string out;
  bool is_in_string = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char byte = json[i];
    if (is_in_string && byte == '\\' && i + 1 < json.size()) {
      out += byte;
      out += json[++i];
      continue;
    }
    if (byte == '"') is_in_string = !is_in_string;
    const bool is_space = byte == ' ' || byte == '\n' || byte == '\r' || byte == '\t';
    if (is_in_string || !is_space) out += byte;
  }
  return out;
}

}  // namespace
}  // namespace internal

std::string Receipt::to_json() const {
  google::protobuf::util::JsonPrintOptions options;
  options.add_whitespace = true;
  options.preserve_proto_field_names = true;
  std::string json;
  if (!google::protobuf::util::MessageToJsonString(internal::encode(*this), &json, options).ok()) return {};
  return json;
}

Result<Receipt> Receipt::from_json(const std::string& json) {
  v1::Receipt message;
  const auto status = google::protobuf::util::JsonStringToMessage(json, &message);
  if (!status.ok()) {
    return Status(ErrorCode::kInvalidArgument, "json is no receipt: " + std::string(status.message()), {},
                  "json");
  }
  Receipt receipt = internal::decode(message);
  // A field may have two names and stand there twice, of which one is taken: people would read another
  // receipt than the one that is checked.
  if (internal::without_space(json) != internal::without_space(receipt.to_json())) {
    return Status(ErrorCode::kInvalidArgument,
                  "json is not as receipts are written: but for white space it has to be what to_json of its "
                  "receipt gives, each field once, in its order and by its one name",
                  {}, "json");
  }
  return receipt;
}

namespace {

/// Matches of later versions have receipts of version 2.
constexpr std::uint32_t kWeakDigestVersion = 1;

}  // namespace

Status check_receipt(const Receipt& receipt, const PublicKey& key) {
  if (!receipt.public_key && receipt.signature.empty()) {
    return {ErrorCode::kPermissionDenied, "nobody has signed the receipt"};
  }
  if (receipt.public_key != key) return {ErrorCode::kPermissionDenied, "the receipt is of another key"};
  if (receipt.version >= 2) {
    const bool is_good = receipt.version == 2 && internal::is_as_signed(receipt) &&
                         receipt.signature.size() == internal::kSignatureBytes &&
                         internal::verifies(key, "sweepd receipt 2\n" + receipt.statement, receipt.signature);
    if (is_good) return {};
    return {ErrorCode::kPermissionDenied, "the signature is not over what the receipt says"};
  }
  // Of another length, the digest's end would be something else's beginning.
  const bool is_whole = receipt.statement.empty() && receipt.digest_version == kWeakDigestVersion &&
                        receipt.config_digest.size() == internal::kConfigDigestBytes &&
                        receipt.signature.size() == internal::kSignatureBytes;
  if (is_whole && internal::verifies(key, internal::receipt_bytes(receipt), receipt.signature)) return {};
  return {ErrorCode::kPermissionDenied, "the signature is not over what the receipt says"};
}

namespace {

/// A name ends with its quote, also where it holds quotes.
std::string quoted(const std::string& name) {
  std::string text = "\"";
  for (const char byte : name) {
    if (byte == '"' || byte == '\\') text += '\\';
    text += byte;
  }
  return text + '"';
}

std::string text_of(const TicketSubject& subject) {
  if (subject.name.empty()) return "no one with a ticket";
  std::string text = quoted(subject.name);
  if (!subject.issuer.empty()) text += " by " + quoted(subject.issuer);
  return text + (subject.tenant.empty() ? "" : " of " + quoted(subject.tenant));
}

bool meets(const TicketSubject& creator, const TicketSubject& expected) {
  const bool is_issuer = expected.issuer.empty() || creator.issuer == expected.issuer;
  return creator.name == expected.name && creator.tenant == expected.tenant && is_issuer;
}

}  // namespace

Status check_receipt(const Receipt& receipt, const PublicKey& key, const ReceiptExpectations& expected) {
  const auto need = [](const char* field) {
    return Status(ErrorCode::kInvalidArgument, std::string("expected.") + field + " is empty", {}, field);
  };
  if (expected.rules_digests.empty()) return need("rules_digests");
  if (expected.creator.name.empty()) return need("creator");
  if (Status status = check_receipt(receipt, key); !status.ok()) return status;
  const auto refuse = [](std::string what) { return Status(ErrorCode::kPermissionDenied, std::move(what)); };
  if (receipt.version < 2)
    return refuse("the receipt is of version 1, which tells neither the rules nor who created the match");
  if (std::ranges::find(expected.rules_digests, receipt.rules_digest) == expected.rules_digests.end())
    return refuse("the match was played by other rules");
  if (!meets(receipt.creator, expected.creator))
    return refuse("the match was created by " + text_of(receipt.creator));
  return {};
}

}  // namespace sweepd
