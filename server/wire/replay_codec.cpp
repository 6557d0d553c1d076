// SPDX-License-Identifier: MIT
#include "wire/replay_codec.h"

#include <algorithm>
#include <string>
#include <utility>

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
  if (!footer.receipt) return;
  message.set_public_key(text_of(footer.receipt->public_key.bytes));
  message.set_signature(text_of(footer.receipt->signature));
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
  if (auto error = decode_claims(message, options)) return *std::move(error);
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
  }
  message.set_what(verification.what);
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
  return verification;
}

}  // namespace sweepd::wire
