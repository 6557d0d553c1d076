// SPDX-License-Identifier: MIT
#include "replay/receipt.h"

#include <string_view>

#include "replay/little_endian.h"

namespace sweepd::replay {
namespace {

void append_text(std::string& bytes, std::string_view text) {
  append_number(bytes, static_cast<std::uint32_t>(text.size()));
  bytes += text;
}

void append_cast(std::string& bytes, const Cast& cast) {
  append_number(bytes, static_cast<std::uint32_t>(cast.participants.size()));
  for (const Join& participant : cast.participants) {
    append_number(bytes, participant.number);
    append_number(bytes, static_cast<std::uint8_t>(participant.role));
    append_text(bytes, participant.name);
  }
  append_number(bytes, cast.omitted);
}

void append_scores(std::string& bytes, const std::vector<match::Score>& scores) {
  append_number(bytes, static_cast<std::uint32_t>(scores.size()));
  for (const match::Score& score : scores) {
    append_number(bytes, score.participant);
    append_number(bytes, static_cast<std::uint8_t>(score.has_left ? 1 : 0));
    append_number(bytes, static_cast<std::uint64_t>(score.score));
    append_text(bytes, score.name);
  }
}

}  // namespace

std::string receipt_bytes(const Head& head, const Ending& ending) {
  std::string bytes = "sweepd receipt 1\n";
  append_text(bytes, head.match_id);
  bytes += head.config_digest;
  append_text(bytes, head.engine_version);
  append_number(bytes, head.digest_version);
  append_text(bytes, head.nonce);
  append_number(bytes, static_cast<std::uint8_t>(ending.reason));
  append_number(bytes, ending.tick_count);
  append_number(bytes, ending.final_digest);
  append_cast(bytes, ending.cast);
  append_scores(bytes, ending.scores);
  return bytes;
}

Receipt sign_receipt(const SigningKey& key, const Head& head, const Ending& ending) {
  return {key.public_key(), key.sign(receipt_bytes(head, ending))};
}

bool check_receipt(const Receipt& receipt, const PublicKey& key, const Head& head, const Ending& ending) {
  return receipt.public_key == key && key.verifies(receipt_bytes(head, ending), receipt.signature);
}

}  // namespace sweepd::replay
