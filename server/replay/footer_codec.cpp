// SPDX-License-Identifier: MIT
#include "replay/footer_codec.h"

#include <algorithm>

#include "match/participant.h"
#include "replay/file_format.h"
#include "replay/sha256.h"

namespace sweepd::replay {
namespace {

using Fault = std::optional<std::string>;

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
  if (!name.empty() && name.size() <= match::kNameBytesMax) return std::nullopt;
  return "a name has " + std::to_string(name.size()) + " bytes";
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

}  // namespace

void encode(const Head& head, v1::Header& message) {
  message.set_engine_version(head.engine_version);
  message.set_digest_version(head.digest_version);
  message.set_match_id(head.match_id);
  message.set_nonce(head.nonce);
  message.set_config(head.config_bytes);
  message.set_config_digest(head.config_digest);
  message.set_initial_digest(head.initial_digest);
}

Fault decode(const v1::Header& message, Head& head) {
  head = {.engine_version = message.engine_version(),
          .digest_version = message.digest_version(),
          .match_id = message.match_id(),
          .nonce = message.nonce(),
          .config_bytes = message.config(),
          .config_digest = message.config_digest(),
          .initial_digest = message.initial_digest()};
  if (Fault fault = check_id("engine_version", head.engine_version)) return fault;
  if (Fault fault = check_id("match_id", head.match_id)) return fault;
  if (Fault fault = check_id("nonce", head.nonce)) return fault;
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
}

Fault decode(const v1::Footer& message, Ending& ending) {
  if (message.end_reason() < 1 || message.end_reason() > 3) {
    return "end_reason is " + std::to_string(message.end_reason()) + "; must be 1 to 3";
  }
  ending.reason = static_cast<EndReason>(message.end_reason());
  ending.tick_count = message.tick_count();
  ending.final_digest = message.final_digest();
  if (Fault fault = decode_scores(message, ending.scores)) return fault;
  return decode_cast(message, ending.cast);
}

void encode(const Receipt& receipt, v1::Footer& message) {
  message.set_public_key(text_of(receipt.public_key.bytes));
  message.set_signature(text_of(receipt.signature));
}

Fault decode(const v1::Footer& message, std::optional<Receipt>& receipt) {
  if (message.public_key().empty() && message.signature().empty()) return std::nullopt;
  receipt.emplace();
  if (Fault fault = decode_bytes("public_key", message.public_key(), receipt->public_key.bytes)) return fault;
  return decode_bytes("signature", message.signature(), receipt->signature);
}

}  // namespace sweepd::replay
