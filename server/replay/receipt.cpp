// SPDX-License-Identifier: MIT
#include "replay/receipt.h"

#include <string_view>
#include <utility>

#include "replay/file_format.h"
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

namespace {

std::string statement_bytes(const std::string& statement) { return "sweepd receipt 2\n" + statement; }

bool has_statement(const Head& head) { return head.digest_version >= kDigestVersionWithStatements; }

}  // namespace

Receipt sign_receipt(const SigningKey& key, const Attested& attested) {
  const PublicKey public_key = key.public_key();
  if (!has_statement(attested.head))
    return {public_key, key.sign(receipt_bytes(attested.head, attested.ending)), {}};
  std::string statement = statement_of(attested, public_key);
  const Signature signature = key.sign(statement_bytes(statement));
  return {public_key, signature, std::move(statement)};
}

// A receipt of the wrong version is none: else the weaker one would do for every match.
bool check_receipt(const Receipt& receipt, const PublicKey& key, const Attested& attested) {
  if (receipt.public_key != key || has_statement(attested.head) != (receipt.version() == 2)) return false;
  if (receipt.version() == 1)
    return key.verifies(receipt_bytes(attested.head, attested.ending), receipt.signature);
  return key.verifies(statement_bytes(receipt.statement), receipt.signature) &&
         is_statement_of(receipt.statement, attested, key);
}

}  // namespace sweepd::replay
