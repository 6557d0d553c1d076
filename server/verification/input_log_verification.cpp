// SPDX-License-Identifier: MIT
#include "verification/input_log_verification.h"

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "match/match.h"
#include "replay/ending.h"
#include "replay/player.h"
#include "replay/player_score.h"
#include "replay/rules_digest.h"
#include "verification/input_log.h"
#include "wire/config_codec.h"
#include "wire/frame_codec.h"

namespace sweepd::verification {
namespace {

using match::ParticipantNumber;
using replay::FileFault;
using replay::ReplayVerdict;
using replay::Verification;
using replay::VerificationOptions;

/// As it is played fastest; neither changes a digest or a score. A log's final digest is of the first
/// version.
std::unique_ptr<match::Match> match_of(match::MatchConfig config) {
  config.broadphase = match::MatchConfig().broadphase;
  if (config.claims.policy != match::ClaimPolicy::kEnforce) config.history_ticks = 0;
  auto match = match::Match::create(std::move(config), match::kFirstDigestVersion);
  return match ? std::move(*match) : nullptr;
}

/// One run of a verification. The first step that finds something settles the verdict; but a log that cannot
/// be read is MALFORMED wherever it DIVERGED before: what comes after that is read, and not played.
class InputLogVerifier {
 public:
  InputLogVerifier(const InputLog& log, std::unique_ptr<match::Match> match,
                   const VerificationOptions& options, Verification& result, InputLogWitness* witness)
      : log_(log), match_(std::move(match)), options_(options), result_(result), witness_(witness) {
    match_->set_log(witness);
  }

  void run();

 private:
  using What = std::optional<std::string>;

  bool has_diverged() const { return result_.verdict == ReplayVerdict::kDiverged; }
  bool is_settled() const { return result_.verdict != ReplayVerdict::kVerified; }
  void settle(ReplayVerdict verdict, std::string what);
  void diverge(std::uint64_t tick, const std::string& what);
  void refuse(const std::string& what);
  void play();
  bool play_until(std::uint64_t tick);
  bool is_cancelled() const { return options_.is_cancelled && options_.is_cancelled(); }
  void step();
  void apply(const v1::InputLogInput& input);
  void read(const v1::InputLogInput& input);
  std::optional<match::Frame> decode(ParticipantNumber number, const v1::Frame& message);
  What join(ParticipantNumber number, const v1::InputLogJoin& join);
  What leave(ParticipantNumber number);
  void submit(ParticipantNumber number, const v1::Frame& message);
  void compare_nonce();
  void compare_claims(std::span<const match::Score> claimed);
  void compare_ending();

  const InputLog& log_;
  std::unique_ptr<match::Match> match_;
  const VerificationOptions& options_;
  Verification& result_;
  InputLogWitness* const witness_;  ///< Null: there is none.
  std::map<ParticipantNumber, wire::FrameDecoder> decoders_;
  wire::FrameDecoder::Undo undo_;
  replay::ForgottenRows forgotten_rows_;
  // Of the record that is being played, or read.
  std::uint64_t offset_ = 0;
  std::uint64_t tick_ = 0;
};

void InputLogVerifier::settle(ReplayVerdict verdict, std::string what) {
  if (is_settled()) return;
  result_.verdict = verdict;
  result_.what = std::move(what);
}

void InputLogVerifier::diverge(std::uint64_t tick, const std::string& what) {
  if (!is_settled()) result_.diverging_tick = tick;
  settle(ReplayVerdict::kDiverged, "tick " + std::to_string(tick) + ": " + what);
}

void InputLogVerifier::refuse(const std::string& what) {
  if (is_settled() && !has_diverged()) return;
  result_.verdict = ReplayVerdict::kVerified;
  result_.diverging_tick = 0;
  result_.fault = FileFault{.offset = offset_, .record = "tick", .tick = tick_, .what = what};
  settle(ReplayVerdict::kMalformed, text_of(*result_.fault));
}

void InputLogVerifier::run() {
  play();
  result_.ticks_played = match_->tick();
  result_.digest = match_->digest();
  result_.scores = replay::scores_of(*match_);
  result_.scores_not_listed = forgotten_rows_.count(match_->scoreboard());
  compare_nonce();
  compare_ending();
}

/// Before all else that diverges, as the run is another one from its beginning.
void InputLogVerifier::compare_nonce() {
  if (!options_.nonce || *options_.nonce == log_.header().nonce()) return;
  if (has_diverged()) result_.verdict = ReplayVerdict::kVerified;
  diverge(0, "the log has another nonce: it is of another run");
}

void InputLogVerifier::play() {
  InputLog::Ticks ticks(log_);
  while (const v1::InputLogTick* tick = ticks.next()) {
    offset_ = ticks.offset();
    tick_ = tick->tick();
    if (has_diverged() ? is_cancelled() : !play_until(tick_ - 1)) return;
    for (const v1::InputLogInput& input : tick->inputs()) {
      if (has_diverged()) {
        read(input);
      } else {
        apply(input);
      }
      if (is_settled() && !has_diverged()) return;
    }
  }
  if (!is_settled()) play_until(log_.end().tick_count());
}

/// False: the caller wants no more, or the match has ended before that.
bool InputLogVerifier::play_until(std::uint64_t tick) {
  while (match_->tick() < tick) {
    if (is_cancelled()) return false;
    if (match_->ended()) {
      diverge(match_->tick(), "the match exceeds a budget of its config in this tick and ends");
      return false;
    }
    if (options_.is_hopeless && options_.is_hopeless(match_->tick(), log_.end().tick_count())) return false;
    step();
  }
  return true;
}

void InputLogVerifier::step() {
  const v1::InputLogEnd& end = log_.end();
  const bool ends_match = end.match_ended() && match_->tick() + 1 == end.tick_count();
  const match::TickOutput& output = ends_match ? match_->end() : match_->step();
  forgotten_rows_.note(output.scores);
  if (witness_ != nullptr) witness_->ran(*match_, output, ends_match);
}

void InputLogVerifier::apply(const v1::InputLogInput& input) {
  What what;
  if (input.has_frame()) return submit(input.participant(), input.frame());
  if (input.has_join()) {
    what = join(input.participant(), input.join());
  } else if (input.has_leave()) {
    what = leave(input.participant());
  } else {
    return refuse("an input is none that is known");
  }
  if (what) diverge(tick_, *what);
}

/// What is wrong with it whatever the match is.
void InputLogVerifier::read(const v1::InputLogInput& input) {
  // A number without a seat takes no memory: there may be as many of those as there are inputs.
  const ParticipantNumber number = input.participant();
  const bool has_decoder = number < match::kParticipantsMax || decoders_.contains(number);
  if (input.has_frame()) {
    if (has_decoder) decode(number, input.frame());
  } else if (input.has_join()) {
    if (has_decoder) decoders_[number] = wire::FrameDecoder();
  } else if (input.has_leave()) {
    decoders_.erase(number);
  } else {
    refuse("an input is none that is known");
  }
}

std::optional<match::Frame> InputLogVerifier::decode(ParticipantNumber number, const v1::Frame& message) {
  auto frame = decoders_[number].decode(message, undo_);
  if (frame) return std::move(*frame);
  refuse("a frame of participant " + std::to_string(number) + ": " + frame.error().field + ": " +
         frame.error().description);
  return std::nullopt;
}

InputLogVerifier::What InputLogVerifier::join(ParticipantNumber number, const v1::InputLogJoin& join) {
  const std::string who = "participant " + std::to_string(number);
  decoders_[number] = wire::FrameDecoder();
  const auto role = wire::decode_role(join.role());
  if (!role) return who + " joins in no role";
  const auto joined = match_->apply(match::Join{join.name(), *role});
  if (!joined) return who + " cannot join";
  if (joined->number != number) return who + " joins as number " + std::to_string(joined->number);
  return std::nullopt;
}

InputLogVerifier::What InputLogVerifier::leave(ParticipantNumber number) {
  if (decoders_.erase(number) == 0) {
    return "participant " + std::to_string(number) + " leaves, and has no seat";
  }
  match_->apply(match::Leave{number});
  return std::nullopt;
}

void InputLogVerifier::submit(ParticipantNumber number, const v1::Frame& message) {
  const std::string who = "participant " + std::to_string(number);
  const bool has_seat = decoders_.contains(number);
  if (!has_seat) diverge(tick_, who + " sends a frame, and has no seat");
  auto frame = decode(number, message);
  if (!has_seat || !frame) return;
  const auto rejection = match_->apply(match::Submission{number, std::move(*frame)});
  if (!rejection) return;
  diverge(tick_, "a frame of " + who + " is refused: " + rejection->field + " " + rejection->message);
}

void InputLogVerifier::compare_claims(std::span<const match::Score> claimed) {
  if (auto fault = replay::find_claim_fault(claimed, result_.scores, result_.scores_not_listed);
      !fault.empty())
    settle(ReplayVerdict::kScoreMismatch, std::move(fault));
}

void InputLogVerifier::compare_ending() {
  const v1::InputLogEnd& end = log_.end();
  for (const v1::Score& score : end.claimed_scores()) {
    result_.recorded_scores.push_back({score.participant(), score.name(), score.score(), score.has_left()});
  }
  if (end.has_final_digest() && end.final_digest() != result_.digest) {
    diverge(result_.ticks_played, "the digest is " + replay::digest_text(result_.digest) + ", the log says " +
                                      replay::digest_text(end.final_digest()));
  }
  compare_claims(result_.recorded_scores);
  compare_claims(options_.claimed_scores);
  if (options_.public_key || options_.creator)
    settle(ReplayVerdict::kBadSignature, "an input log has no receipt");
  if (auto mismatch = replay::find_rules_mismatch(log_.config(), options_.approved_rules))
    settle(ReplayVerdict::kRulesMismatch, *std::move(mismatch));
}

Verification play(std::string_view bytes, const VerificationOptions& options, InputLogWitness* witness) {
  Verification result;
  const auto refuse = [&](FileFault fault) {
    const bool is_unsupported = fault.kind == replay::FaultKind::kUnsupportedVersion;
    result.verdict = is_unsupported ? ReplayVerdict::kUnsupportedVersion : ReplayVerdict::kMalformed;
    result.what = text_of(fault);
    result.fault = std::move(fault);
    return result;
  };
  const auto log = InputLog::open(bytes);
  if (!log) return refuse(log.error());
  auto match = match_of(log->config());
  if (match == nullptr) return refuse({.record = "header", .what = "no match can have this config"});
  result.rules_digest = replay::rules_digest(log->config());
  InputLogVerifier(*log, std::move(match), options, result, witness).run();
  return result;
}

}  // namespace

Verification verify_input_log(std::string_view bytes, const VerificationOptions& options) {
  return play(bytes, options, nullptr);
}

Verification play_input_log(std::string_view bytes, InputLogWitness& witness) {
  return play(bytes, {}, &witness);
}

Verification verify_any(std::string_view bytes, const VerificationOptions& options) {
  return is_input_log(bytes) ? verify_input_log(bytes, options) : replay::verify(bytes, options);
}

}  // namespace sweepd::verification
