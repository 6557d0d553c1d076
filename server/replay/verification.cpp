// SPDX-License-Identifier: MIT
#include "replay/verification.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "replay/player.h"
#include "replay/replay_match.h"

namespace sweepd::replay {
namespace {

/// One run of a verification. Each step that finds something settles the verdict; the first one counts.
class Verifier {
 public:
  Verifier(const Reader& reader, std::unique_ptr<match::Match> match, Verification& result)
      : reader_(reader), player_(std::move(match)), result_(result) {}

  void run(const VerificationOptions& options);

 private:
  void settle(ReplayVerdict verdict, std::string what);
  void settle_fault(const FileFault& fault);
  bool is_settled() const { return result_.verdict != ReplayVerdict::kVerified; }
  void diverge(Tick tick, const std::string& what);
  void play();
  bool play_chunk(std::size_t index);
  void compare_key_frames();
  void compare_ending(const Ending& ending);
  void compare_scores(const std::vector<match::Score>& recorded);
  void compare_claims(const std::vector<match::Score>& claimed);
  void check_signature(const Footer& footer, const std::optional<PublicKey>& key);

  const Reader& reader_;
  Player player_;
  Cast cast_;
  Verification& result_;
};

void Verifier::settle(ReplayVerdict verdict, std::string what) {
  if (is_settled()) return;
  result_.verdict = verdict;
  result_.what = std::move(what);
}

void Verifier::settle_fault(const FileFault& fault) {
  const bool is_unsupported = fault.kind == FaultKind::kUnsupportedVersion;
  settle(is_unsupported ? ReplayVerdict::kUnsupportedVersion : ReplayVerdict::kMalformed, text_of(fault));
  if (!result_.fault) result_.fault = fault;
}

void Verifier::diverge(Tick tick, const std::string& what) {
  if (!is_settled()) result_.diverging_tick = tick;
  settle(ReplayVerdict::kDiverged, "tick " + std::to_string(tick) + ": " + what);
}

void Verifier::run(const VerificationOptions& options) {
  if (reader_.fault()) settle_fault(*reader_.fault());
  if (player_.match().digest() != reader_.head().initial_digest) {
    diverge(0, "the digest of the config is " + digest_text(player_.match().digest()) + ", the header says " +
                   digest_text(reader_.head().initial_digest));
  } else {
    play();
  }
  result_.ticks_played = player_.match().tick();
  result_.digest = player_.match().digest();
  result_.scores = scores_of(player_.match());
  if (reader_.footer()) compare_ending(reader_.footer()->ending);
  compare_claims(options.claimed_scores);
  if (reader_.footer()) check_signature(*reader_.footer(), options.public_key);
}

void Verifier::play() {
  for (std::size_t i = 0; i < reader_.chunks().size(); ++i) {
    if (!play_chunk(i)) return;
    compare_key_frames();
  }
}

/// A tick at a time, so that what is read is still at hand when it is played.
bool Verifier::play_chunk(std::size_t index) {
  auto ticks = reader_.open_chunk(index);
  if (!ticks) {
    settle_fault(ticks.error());
    return false;
  }
  while (!ticks->is_done()) {
    auto record = ticks->next();
    if (!record) {
      settle_fault(reader_.place(index, record.error()));
      return false;
    }
    cast_.note(*record);
    if (const auto divergence = player_.play(std::move(record.value()))) {
      diverge(divergence->tick, divergence->what);
      return false;
    }
  }
  return true;
}

/// They stand between chunks only.
void Verifier::compare_key_frames() {
  const match::Match& match = player_.match();
  for (const Reader::KeyFramePlace& place : reader_.key_frames()) {
    if (place.tick != match.tick() || place.digest == match.digest()) continue;
    diverge(place.tick, "the digest is " + digest_text(match.digest()) + ", a key frame says " +
                            digest_text(place.digest));
  }
}

void Verifier::compare_ending(const Ending& ending) {
  result_.recorded_scores = ending.scores;
  if (is_settled()) return;
  const FileFault footer{.offset = reader_.footer_offset(), .record = "footer"};
  const auto refuse = [&](std::string what) {
    FileFault fault = footer;
    fault.what = std::move(what);
    settle_fault(fault);
  };
  if (ending.final_digest != result_.digest) {
    diverge(result_.ticks_played, "the digest is " + digest_text(result_.digest) + ", the footer says " +
                                      digest_text(ending.final_digest));
  }
  if (player_.match().ended() != (ending.reason == EndReason::kMatchEnded)) {
    refuse(player_.match().ended() ? "the match has ended, the footer says that it has not"
                                   : "the match has not ended, the footer says that it has");
  }
  if (ending.cast != cast_) refuse("its participants are not those who joined");
  compare_scores(ending.scores);
}

void Verifier::compare_scores(const std::vector<match::Score>& recorded) {
  const auto& scores = result_.scores;
  const auto [computed, claimed] =
      std::mismatch(scores.begin(), scores.end(), recorded.begin(), recorded.end(),
                    [](const auto& a, const auto& b) { return is_equal(a, b); });
  if (computed == scores.end() && claimed == recorded.end()) return;
  std::string what = "the footer has " + std::to_string(recorded.size()) + " scores, the match " +
                     std::to_string(scores.size());
  if (computed != scores.end() && claimed != recorded.end()) {
    what = computed->name + " has " + std::to_string(computed->score) + ", the footer says that " +
           claimed->name + " has " + std::to_string(claimed->score);
  }
  settle(ReplayVerdict::kScoreMismatch, std::move(what));
}

/// Who left and came back has several under one name.
void Verifier::compare_claims(const std::vector<match::Score>& claimed) {
  for (const match::Score& claim : claimed) {
    const match::Score* own = nullptr;
    bool is_right = false;
    for (const match::Score& score : result_.scores) {
      if (score.participant != claim.participant || score.name != claim.name) continue;
      own = &score;
      is_right = is_right || score.score == claim.score;
    }
    if (is_right) continue;
    const std::string found = own == nullptr ? "no score" : std::to_string(own->score);
    settle(ReplayVerdict::kScoreMismatch,
           claim.name + " claims " + std::to_string(claim.score) + ", and has " + found);
  }
}

void Verifier::check_signature(const Footer& footer, const std::optional<PublicKey>& key) {
  if (!footer.receipt) {
    if (key) settle(ReplayVerdict::kBadSignature, "there is no receipt");
    return;
  }
  const PublicKey& expected = key ? *key : footer.receipt->public_key;
  const bool is_good = check_receipt(*footer.receipt, expected, reader_.head(), footer.ending);
  result_.signature = !is_good ? SignatureState::kBad
                      : key    ? SignatureState::kGood
                               : SignatureState::kUntrusted;
  if (is_good) return;
  settle(ReplayVerdict::kBadSignature, footer.receipt->public_key != expected
                                           ? "the receipt is of another key"
                                           : "the receipt is not over what the replay says");
}

}  // namespace

std::string_view name_of(ReplayVerdict verdict) {
  switch (verdict) {
    case ReplayVerdict::kVerified:
      return "VERIFIED";
    case ReplayVerdict::kUnsupportedVersion:
      return "UNSUPPORTED_VERSION";
    case ReplayVerdict::kMalformed:
      return "MALFORMED";
    case ReplayVerdict::kDiverged:
      return "DIVERGED";
    case ReplayVerdict::kScoreMismatch:
      return "SCORE_MISMATCH";
    case ReplayVerdict::kBadSignature:
      return "BAD_SIGNATURE";
  }
  return "";
}

Verification verify(std::string_view bytes, const VerificationOptions& options) {
  Verification result;
  const auto reader = Reader::open(bytes);
  if (!reader) {
    const bool is_unsupported = reader.error().kind == FaultKind::kUnsupportedVersion;
    result.verdict = is_unsupported ? ReplayVerdict::kUnsupportedVersion : ReplayVerdict::kMalformed;
    result.fault = reader.error();
    result.what = text_of(*result.fault);
    return result;
  }
  auto match = match_to_play(*reader);
  if (match) {
    Verifier(*reader, std::move(match.value()), result).run(options);
    return result;
  }
  result.verdict = ReplayVerdict::kMalformed;
  result.fault = match.error();
  result.what = text_of(*result.fault);
  return result;
}

}  // namespace sweepd::replay
