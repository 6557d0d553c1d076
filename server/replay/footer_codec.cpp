// SPDX-License-Identifier: MIT
#include "replay/footer_codec.h"

#include <algorithm>

#include "base/visible_text.h"
#include "match/participant.h"
#include "replay/file_format.h"
#include "replay/sha256.h"

namespace sweepd::replay {
namespace {

using Fault = std::optional<std::string>;

/// No server writes another, and no message can tell one.
Fault check_text(const char* field, std::string_view text) {
  if (base::is_utf8(text)) return std::nullopt;
  return std::string(field) + " is not UTF-8";
}

Fault check_id(const char* field, const std::string& id) {
  if (id.size() <= kIdBytesMax) return std::nullopt;
  return std::string(field) + " has " + std::to_string(id.size()) + " bytes; at most " +
         std::to_string(kIdBytesMax) + " are allowed";
}

Fault check_count(const char* field, int count, std::size_t most) {
  if (static_cast<std::size_t>(count) <= most) return std::nullopt;
  return std::to_string(count) + " " + field + "; at most " + std::to_string(most) + " are allowed";
}

Fault check_name(const std::string& name) {
  if (name.empty() || name.size() > match::kNameBytesMax)
    return "a name has " + std::to_string(name.size()) + " bytes";
  return check_text("a name", name);
}

template <std::size_t kSize>
std::string text_of(const std::array<std::uint8_t, kSize>& bytes) {
  return {bytes.begin(), bytes.end()};
}

template <std::size_t kSize>
Fault decode_bytes(const char* field, const std::string& text, std::array<std::uint8_t, kSize>& bytes) {
  if (text.size() != kSize) {
    return std::string(field) + " has " + std::to_string(text.size()) + " bytes; must have " +
           std::to_string(kSize);
  }
  std::copy(text.begin(), text.end(), bytes.begin());
  return std::nullopt;
}

Fault decode_scores(const v1::Footer& message, std::vector<match::Score>& scores) {
  if (Fault fault = check_count("scores", message.scores_size(), kScoresListedMax)) return fault;
  for (const v1::Score& score : message.scores()) {
    if (Fault fault = check_name(score.name())) return fault;
    scores.push_back({score.participant(), score.name(), score.score(), score.has_left()});
  }
  return std::nullopt;
}

Fault decode_cast(const v1::Footer& message, Cast& cast) {
  cast.omitted = message.participants_omitted();
  if (Fault fault = check_count("participants", message.participants_size(), kParticipantsListedMax)) {
    return fault;
  }
  for (const v1::Participant& participant : message.participants()) {
    if (Fault fault = check_name(participant.name())) return fault;
    if (participant.role() < 1 || participant.role() > 2) {
      return "a participant's role is " + std::to_string(participant.role());
    }
    cast.participants.push_back(
        {participant.name(), static_cast<match::Role>(participant.role()), participant.number()});
  }
  return std::nullopt;
}

Fault decode(const v1::TicketSubject& message, TicketSubject& subject) {
  subject = {message.name(), message.issuer(), message.tenant()};
  const std::size_t bytes = subject.name.size() + subject.issuer.size() + subject.tenant.size();
  if (!subject.is_known() || bytes > kSubjectBytesMax)
    return "a subject has " + std::to_string(bytes) + " bytes";
  for (const std::string* part : {&subject.name, &subject.issuer, &subject.tenant}) {
    if (Fault fault = check_text("a subject", *part)) return fault;
  }
  return std::nullopt;
}

/// What no match of digest version 1 has.
Fault decode_creation(const v1::Header& message, Head& head) {
  const bool is_expected = head.digest_version >= kDigestVersionWithStatements;
  if (message.rules_digest().size() != (is_expected ? kSha256Bytes : 0))
    return "rules_digest has " + std::to_string(message.rules_digest().size()) + " bytes";
  if (message.rules_name().size() > kRulesNameBytesMax)
    return "rules_name has " + std::to_string(message.rules_name().size()) + " bytes";
  if (Fault fault = check_text("rules_name", message.rules_name())) return fault;
  if (!is_expected &&
      (message.has_creator() || !message.rules_name().empty() || message.create_time_unix_ms() != 0))
    return "it says how its match was created, which came with later digests";
  head.rules_digest = message.rules_digest();
  head.rules_name = message.rules_name();
  head.create_time_unix_ms = message.create_time_unix_ms();
  return message.has_creator() ? decode(message.creator(), head.creator) : std::nullopt;
}

Fault decode_holders(const v1::Footer& message, Cast& cast) {
  cast.holders_omitted = message.seat_holders_omitted();
  if (Fault fault = check_count("seat_holders", message.seat_holders_size(), kSeatHoldersListedMax))
    return fault;
  for (const v1::SeatHolder& holder : message.seat_holders()) {
    SeatHolder& entry = cast.holders.emplace_back(SeatHolder{holder.number(), holder.name(), {}});
    if (Fault fault = check_name(entry.name)) return fault;
    if (Fault fault = decode(holder.subject(), entry.subject)) return fault;
  }
  return std::nullopt;
}

void encode(const Timeline& timeline, v1::Footer& message) {
  message.set_start_unix_ms(timeline.start_unix_ms);
  message.set_end_unix_ms(timeline.end_unix_ms);
  for (const ClockChange& change : timeline.changes) {
    v1::ClockChange& entry = *message.add_clock_changes();
    entry.set_tick(change.tick);
    entry.set_unix_ms(change.unix_ms);
    entry.set_is_paused(change.is_paused);
    entry.set_tick_rate_hz(change.tick_rate_hz);
    entry.set_is_restart(change.is_restart);
  }
  message.set_clock_changes_omitted(timeline.changes_omitted);
}

Fault decode(const v1::Footer& message, Timeline& timeline) {
  timeline = {.start_unix_ms = message.start_unix_ms(),
              .end_unix_ms = message.end_unix_ms(),
              .changes_omitted = message.clock_changes_omitted()};
  if (Fault fault = check_count("clock_changes", message.clock_changes_size(), Timeline::kClockChangesMax))
    return fault;
  for (const v1::ClockChange& change : message.clock_changes())
    timeline.changes.push_back(
        {change.tick(), change.unix_ms(), change.is_paused(), change.tick_rate_hz(), change.is_restart()});
  return std::nullopt;
}

}  // namespace

void encode(const TicketSubject& subject, v1::TicketSubject& message) {
  message.set_name(subject.name);
  if (!subject.issuer.empty()) message.set_issuer(subject.issuer);
  if (!subject.tenant.empty()) message.set_tenant(subject.tenant);
}

void encode(const Head& head, v1::Header& message) {
  message.set_engine_version(head.engine_version);
  message.set_digest_version(head.digest_version);
  message.set_match_id(head.match_id);
  message.set_nonce(head.nonce);
  message.set_config(head.config_bytes);
  message.set_config_digest(head.config_digest);
  message.set_initial_digest(head.initial_digest);
  message.set_rules_digest(head.rules_digest);
  message.set_rules_name(head.rules_name);
  if (head.creator.is_known()) encode(head.creator, *message.mutable_creator());
  message.set_create_time_unix_ms(head.create_time_unix_ms);
}

Fault decode(const v1::Header& message, Head& head) {
  head = {.engine_version = message.engine_version(),
          .digest_version = message.digest_version(),
          .match_id = message.match_id(),
          .nonce = message.nonce(),
          .config_bytes = message.config(),
          .config_digest = message.config_digest(),
          .initial_digest = message.initial_digest(),
          .rules_digest = {},
          .rules_name = {},
          .creator = {},
          .create_time_unix_ms = 0};
  if (Fault fault = check_id("engine_version", head.engine_version)) return fault;
  if (Fault fault = check_id("match_id", head.match_id)) return fault;
  if (Fault fault = check_id("nonce", head.nonce)) return fault;
  if (Fault fault = check_text("engine_version", head.engine_version)) return fault;
  if (Fault fault = check_text("match_id", head.match_id)) return fault;
  if (Fault fault = decode_creation(message, head)) return fault;
  if (head.config_bytes.size() > kConfigBytesMax) {
    return "the config has " + std::to_string(head.config_bytes.size()) + " bytes; at most " +
           std::to_string(kConfigBytesMax) + " are allowed";
  }
  if (head.config_digest != sha256({head.config_bytes})) return "config_digest is not that of the config";
  return std::nullopt;
}

void encode(const Ending& ending, v1::Footer& message) {
  message.set_tick_count(ending.tick_count);
  message.set_final_digest(ending.final_digest);
  message.set_end_reason(static_cast<std::uint32_t>(ending.reason));
  for (const match::Score& score : ending.scores) {
    v1::Score& entry = *message.add_scores();
    entry.set_participant(score.participant);
    entry.set_name(score.name);
    entry.set_score(score.score);
    entry.set_has_left(score.has_left);
  }
  for (const Join& participant : ending.cast.participants) {
    v1::Participant& entry = *message.add_participants();
    entry.set_number(participant.number);
    entry.set_name(participant.name);
    entry.set_role(static_cast<std::uint32_t>(participant.role));
  }
  message.set_participants_omitted(ending.cast.omitted);
  for (const SeatHolder& holder : ending.cast.holders) {
    v1::SeatHolder& entry = *message.add_seat_holders();
    entry.set_number(holder.number);
    entry.set_name(holder.name);
    encode(holder.subject, *entry.mutable_subject());
  }
  message.set_seat_holders_omitted(ending.cast.holders_omitted);
  encode(ending.timeline, message);
}

void leave_out_testimony(v1::Footer& message) {
  message.clear_start_unix_ms();
  message.clear_end_unix_ms();
  message.clear_clock_changes();
  message.clear_clock_changes_omitted();
  message.clear_seat_holders();
  message.clear_seat_holders_omitted();
}

Fault decode(const v1::Footer& message, Ending& ending) {
  if (message.end_reason() < 1 || message.end_reason() > 3) {
    return "end_reason is " + std::to_string(message.end_reason()) + "; must be 1 to 3";
  }
  ending.reason = static_cast<EndReason>(message.end_reason());
  ending.tick_count = message.tick_count();
  ending.final_digest = message.final_digest();
  if (Fault fault = decode_scores(message, ending.scores)) return fault;
  if (Fault fault = decode_holders(message, ending.cast)) return fault;
  if (Fault fault = decode(message, ending.timeline)) return fault;
  return decode_cast(message, ending.cast);
}

void encode(const Receipt& receipt, v1::Footer& message) {
  message.set_public_key(text_of(receipt.public_key.bytes));
  message.set_signature(text_of(receipt.signature));
  message.set_statement(receipt.statement);
}

Fault decode(const v1::Footer& message, std::optional<Receipt>& receipt) {
  if (message.public_key().empty() && message.signature().empty()) return std::nullopt;
  receipt.emplace();
  receipt->statement = message.statement();
  if (receipt->statement.size() > kStatementBytesMax)
    return "statement has " + std::to_string(receipt->statement.size()) + " bytes; at most " +
           std::to_string(kStatementBytesMax) + " are allowed";
  if (Fault fault = decode_bytes("public_key", message.public_key(), receipt->public_key.bytes)) return fault;
  return decode_bytes("signature", message.signature(), receipt->signature);
}

}  // namespace sweepd::replay
