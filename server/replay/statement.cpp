// SPDX-License-Identifier: MIT
#include "replay/statement.h"

#include <utility>

#include "replay/config_codec.h"
#include "replay/engine_version.h"
#include "replay/footer_codec.h"
#include "replay/sha256.h"
#include "sweepd/replay/v1/file.pb.h"

namespace sweepd::replay {
namespace {

constexpr std::uint32_t kStatementVersion = 2;

/// Of what no build adds to it by itself.
v1::Statement message_of(const Attested& attested) {
  const auto& [head, ending, records_digest] = attested;
  v1::Footer footer;
  encode(ending, footer);
  v1::Statement message;
  message.set_match_id(head.match_id);
  message.set_nonce(head.nonce);
  message.set_config_digest(head.config_digest);
  message.set_engine_version(head.engine_version);
  message.set_digest_version(head.digest_version);
  message.set_end(footer.end_reason());
  message.set_tick_count(ending.tick_count);
  message.set_final_digest(ending.final_digest);
  message.mutable_participants()->Swap(footer.mutable_participants());
  message.set_participants_not_listed(ending.cast.omitted);
  message.mutable_scores()->Swap(footer.mutable_scores());
  message.set_version(kStatementVersion);
  message.set_records_digest(records_digest);
  message.set_rules_digest(head.rules_digest);
  message.set_rules_name(head.rules_name);
  if (head.creator.is_known()) encode(head.creator, *message.mutable_creator());
  message.set_create_time_unix_ms(head.create_time_unix_ms);
  message.set_start_time_unix_ms(ending.timeline.start_unix_ms);
  message.set_end_time_unix_ms(ending.timeline.end_unix_ms);
  if (const auto config = decode_config(head.config_bytes)) {
    message.set_clock(static_cast<std::uint32_t>(config->clock));
    message.set_tick_rate_hz(config->tick_rate_hz);
  }
  message.mutable_clock_changes()->Swap(footer.mutable_clock_changes());
  message.set_clock_changes_not_listed(ending.timeline.changes_omitted);
  message.mutable_seat_holders()->Swap(footer.mutable_seat_holders());
  message.set_seat_holders_not_listed(ending.cast.holders_omitted);
  return message;
}

}  // namespace

std::string key_id(const PublicKey& key) {
  const std::string digest =
      sha256({{reinterpret_cast<const char*>(key.bytes.data()), key.bytes.size()}}).substr(0, 8);
  std::string text;
  for (const char byte : digest) {
    for (const int shift : {4, 0}) text += "0123456789abcdef"[static_cast<unsigned char>(byte) >> shift & 15];
  }
  return text;
}

std::string statement_of(const Attested& attested, const PublicKey& key) {
  v1::Statement message = message_of(attested);
  message.set_build(std::string(engine_version()));
  message.set_key_id(key_id(key));
  return message.SerializeAsString();
}

bool is_statement_of(std::string_view statement, const Attested& attested, const PublicKey& key) {
  v1::Statement message;
  if (!message.ParseFromArray(statement.data(), static_cast<int>(statement.size()))) return false;
  if (message.key_id() != key_id(key)) return false;
  message.clear_key_id();
  message.clear_build();
  // Fields that are not known here are kept, and make it another.
  return message.SerializeAsString() == message_of(attested).SerializeAsString();
}

}  // namespace sweepd::replay
