// SPDX-License-Identifier: MIT
#include "wire/replay_codec.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/visible_text.h"
#include "replay/file_format.h"
#include "wire/config_codec.h"
#include "wire/scoring_codec.h"

namespace sweepd::wire {
namespace {

using match::FieldError;

template <typename Bytes>
std::string text_of(const Bytes& bytes) {
  return {bytes.begin(), bytes.end()};
}

match::Score score_of(const v1::Score& score) {
  return {score.participant(), score.name(), score.score(), score.has_left()};
}

std::optional<FieldError> decode_public_key(const std::string& bytes, replay::VerificationOptions& options) {
  if (bytes.empty()) return std::nullopt;
  replay::PublicKey key;
  if (bytes.size() != key.bytes.size()) {
    return FieldError{"public_key", std::to_string(bytes.size()) + " bytes; must have " +
                                        std::to_string(key.bytes.size()) + ", or none"};
  }
  std::ranges::copy(bytes, key.bytes.begin());
  options.public_key = key;
  return std::nullopt;
}

std::optional<FieldError> decode_claims(const v1::VerificationOptions& message,
                                        replay::VerificationOptions& options) {
  const int count = message.claimed_scores_size();
  if (count > kClaimedScoresMax) {
    return FieldError{"claimed_scores", std::to_string(count) + " entries; at most " +
                                            std::to_string(kClaimedScoresMax) + " are allowed"};
  }
  for (int i = 0; i < count; ++i) {
    const v1::Score& score = message.claimed_scores(i);
    if (score.name().empty() || score.name().size() > match::kNameBytesMax) {
      return FieldError{"claimed_scores[" + std::to_string(i) + "].name",
                        std::to_string(score.name().size()) + " bytes; 1 to " +
                            std::to_string(match::kNameBytesMax) + " are allowed"};
    }
    options.claimed_scores.push_back(score_of(score));
  }
  return std::nullopt;
}

/// What is signed, as it stands there; of a replay without a signature the same without a key. A statement
/// about something else is left out: it may be of any size, and say anything.
void encode_statement(const replay::Head& head, const replay::Footer& footer, v1::Receipt& message) {
  message.set_version(2);
  const replay::Attested attested{head, footer.ending, footer.records_digest};
  const auto& receipt = footer.receipt;
  if (receipt && !replay::is_statement_of(receipt->statement, attested, receipt->public_key)) return;
  const std::string statement = receipt ? receipt->statement : replay::statement_of(attested, {});
  if (!message.ParseFromString(statement)) message.Clear();
  if (receipt) message.set_statement(statement);
  if (!receipt) message.clear_key_id();
}

std::optional<FieldError> decode_rules(const v1::VerificationOptions& message,
                                       replay::VerificationOptions& options) {
  const int count = message.approved_rules_size();
  if (count > kApprovedRulesMax) {
    return FieldError{"approved_rules", std::to_string(count) + " entries; at most " +
                                            std::to_string(kApprovedRulesMax) + " are allowed"};
  }
  for (int i = 0; i < count; ++i) {
    const v1::ApprovedRules& rules = message.approved_rules(i);
    auto config = decode_config(rules.config());
    const auto error = config ? match::find_error(*config) : std::optional(config.error());
    if (error)
      return FieldError{"approved_rules[" + std::to_string(i) + "].config." + error->field,
                        error->description};
    options.approved_rules.push_back({rules.name(), std::move(*config)});
  }
  return std::nullopt;
}

}  // namespace

void encode_receipt(const replay::Head& head, const replay::Footer& footer, v1::Receipt& message) {
  const replay::Ending& ending = footer.ending;
  message.set_match_id(head.match_id);
  message.set_nonce(head.nonce);
  message.set_config_digest(head.config_digest);
  message.set_engine_version(head.engine_version);
  message.set_digest_version(head.digest_version);
  message.set_end(static_cast<v1::ReplayEnd>(ending.reason));
  message.set_tick_count(ending.tick_count);
  message.set_final_digest(ending.final_digest);
  for (const replay::Join& participant : ending.cast.participants) {
    v1::ReplayParticipant& entry = *message.add_participants();
    entry.set_number(participant.number);
    entry.set_name(participant.name);
    entry.set_role(encode_role(participant.role));
  }
  message.set_participants_not_listed(ending.cast.omitted);
  for (const match::Score& score : ending.scores) encode_score(score, *message.add_scores());
  if (head.digest_version >= replay::kDigestVersionWithStatements) encode_statement(head, footer, message);
  if (!footer.receipt) return;
  message.set_public_key(text_of(footer.receipt->public_key.bytes));
  message.set_signature(text_of(footer.receipt->signature));
}

void encode_approved_rules(const replay::ApprovedRules& rules, v1::ApprovedRules& message) {
  message.set_name(rules.name);
  encode_config(rules.config, *message.mutable_config());
  encode_mask_rows(rules.config, *message.mutable_config());
}

base::Result<replay::VerificationOptions, FieldError> decode_verification_options(
    const v1::VerificationOptions& message) {
  replay::VerificationOptions options;
  if (auto error = decode_public_key(message.public_key(), options)) return *std::move(error);
  if (message.nonce().size() > replay::kIdBytesMax) {
    return FieldError{"nonce", std::to_string(message.nonce().size()) + " bytes; at most " +
                                   std::to_string(replay::kIdBytesMax) + " are allowed"};
  }
  if (!message.nonce().empty()) options.nonce = message.nonce();
  if (message.has_creator()) {
    const v1::TicketSubject& creator = message.creator();
    if (creator.name().empty()) return FieldError{"creator.name", "is empty"};
    options.creator = {creator.name(), creator.issuer(), creator.tenant()};
  }
  if (auto error = decode_claims(message, options)) return *std::move(error);
  if (auto error = decode_rules(message, options)) return *std::move(error);
  return options;
}

void encode_verification(const replay::Verification& verification, v1::VerifyReplayResponse& message) {
  switch (verification.verdict) {
    case replay::ReplayVerdict::kVerified:
      message.set_verdict(v1::REPLAY_VERDICT_VERIFIED);
      break;
    case replay::ReplayVerdict::kUnsupportedVersion:
      message.set_verdict(v1::REPLAY_VERDICT_UNSUPPORTED_VERSION);
      break;
    case replay::ReplayVerdict::kMalformed:
      message.set_verdict(v1::REPLAY_VERDICT_MALFORMED);
      break;
    case replay::ReplayVerdict::kDiverged:
      message.set_verdict(v1::REPLAY_VERDICT_DIVERGED);
      break;
    case replay::ReplayVerdict::kScoreMismatch:
      message.set_verdict(v1::REPLAY_VERDICT_SCORE_MISMATCH);
      break;
    case replay::ReplayVerdict::kBadSignature:
      message.set_verdict(v1::REPLAY_VERDICT_BAD_SIGNATURE);
      break;
    case replay::ReplayVerdict::kRulesMismatch:
      message.set_verdict(v1::REPLAY_VERDICT_RULES_MISMATCH);
      break;
  }
  // A malformed config can have names that are not UTF-8.
  message.set_what(base::is_utf8(verification.what) ? verification.what : base::visible(verification.what));
  message.set_diverging_tick(verification.diverging_tick);
  message.set_diverging_object(verification.diverging_object.value_or(0));
  message.set_compared_tick(verification.compared_tick);
  message.set_is_signed(verification.signature == replay::SignatureState::kGood ||
                        verification.signature == replay::SignatureState::kUntrusted);
  message.set_ticks_played(verification.ticks_played);
  message.set_final_digest(verification.digest);
  for (const match::Score& score : verification.scores) encode_score(score, *message.add_scores());
  if (verification.fault) {
    message.set_fault_offset(verification.fault->offset);
    message.set_fault_record(verification.fault->record);
  }
  message.set_signature(static_cast<v1::SignatureState>(static_cast<int>(verification.signature) + 1));
  for (const match::Score& score : verification.recorded_scores)
    encode_score(score, *message.add_recorded_scores());
  message.set_rules_digest(verification.rules_digest);
}

base::Result<replay::Verification, std::string> decode_verification(const v1::VerifyReplayResponse& message) {
  replay::Verification verification;
  if (message.verdict() == v1::REPLAY_VERDICT_UNSPECIFIED || !v1::ReplayVerdict_IsValid(message.verdict())) {
    return std::string("the verdict is none that is known");
  }
  const auto verdict = static_cast<replay::ReplayVerdict>(message.verdict());
  verification.verdict = verdict;
  verification.what = message.what();
  const bool has_fault =
      verdict == replay::ReplayVerdict::kMalformed || verdict == replay::ReplayVerdict::kUnsupportedVersion;
  if (has_fault) {
    verification.fault =
        replay::FileFault{.offset = message.fault_offset(), .record = message.fault_record()};
  }
  verification.diverging_tick = message.diverging_tick();
  if (message.diverging_object() != 0) verification.diverging_object = message.diverging_object();
  verification.compared_tick = message.compared_tick();
  verification.ticks_played = message.ticks_played();
  verification.digest = message.final_digest();
  for (const v1::Score& score : message.scores()) verification.scores.push_back(score_of(score));
  for (const v1::Score& score : message.recorded_scores())
    verification.recorded_scores.push_back(score_of(score));
  const int signature = message.signature() - 1;
  if (signature < 0 || signature > static_cast<int>(replay::SignatureState::kBad)) {
    return std::string("the state of the signature is none that is known");
  }
  verification.signature = static_cast<replay::SignatureState>(signature);
  verification.rules_digest = message.rules_digest();
  if (const v1::Receipt& receipt = message.receipt(); !receipt.signature().empty())
    verification.receipt_version = receipt.version() < 2 ? 1 : 2;
  return verification;
}

}  // namespace sweepd::wire
