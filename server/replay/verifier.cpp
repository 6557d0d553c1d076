// SPDX-License-Identifier: MIT
#include "replay/verifier.h"

#include <algorithm>
#include <utility>

#include "base/visible_text.h"
#include "replay/file_format.h"
#include "replay/object_difference.h"
#include "replay/replay_match.h"

namespace sweepd::replay {
namespace {

/// Of a key frame that is opened to name an object. A forged one may take a hundred times that; no real match
/// comes near it.
constexpr std::size_t kOpenedBytesMax = std::size_t{16} << 20;

// A match that diverges is played on for the name of an object, as far as a real file may ask for: a small
// one can unpack to years of ticks. Servers write a key frame much more often.
constexpr Tick kSearchTicksMax = 36'000;
constexpr std::uint64_t kSearchBytesMax = std::uint64_t{64} << 20;
/// What follows is read as far as it unpacks to so many bytes, and to so many for each of the file. Real
/// ticks are packed to a fifth or so; their digests cannot be packed at all.
constexpr std::uint64_t kReadBytesMin = std::uint64_t{64} << 20;
constexpr std::uint64_t kReadBytesForEach = 64;

std::string name_of_key_frame(std::size_t index) { return "key frame " + std::to_string(index + 1); }

std::string hex(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes) {
    for (const int shift : {4, 0}) text += "0123456789abcdef"[static_cast<unsigned char>(byte) >> shift & 15];
  }
  return text;
}

using base::quoted;

/// "\"studio\" by \"https://tickets.example\" of \"eu\"".
std::string text_of(const TicketSubject& subject) {
  std::string text = quoted(subject.name);
  if (!subject.issuer.empty()) text += " by " + quoted(subject.issuer);
  return text + (subject.tenant.empty() ? "" : " of " + quoted(subject.tenant));
}

}  // namespace

void Verifier::settle(ReplayVerdict verdict, std::string what) {
  if (is_settled()) return;
  result_.verdict = verdict;
  result_.what = std::move(what);
}

void Verifier::settle_fault(const FileFault& fault) {
  if (result_.verdict == ReplayVerdict::kDiverged) take_back_divergence();
  if (is_settled()) return;
  const bool is_unsupported = fault.kind == FaultKind::kUnsupportedVersion;
  settle(is_unsupported ? ReplayVerdict::kUnsupportedVersion : ReplayVerdict::kMalformed, text_of(fault));
  result_.fault = fault;
}

void Verifier::diverge(Tick tick, const std::string& what) {
  if (!is_settled()) result_.diverging_tick = tick;
  settle(ReplayVerdict::kDiverged, "tick " + std::to_string(tick) + ": " + what);
}

void Verifier::take_back_divergence() {
  result_.verdict = ReplayVerdict::kVerified;
  result_.diverging_tick = 0;
  result_.diverging_object.reset();
  result_.compared_tick = 0;
}

void Verifier::run(const VerificationOptions& options) {
  is_cancelled_ = options.is_cancelled;
  is_hopeless_ = options.is_hopeless;
  if (reader_.fault()) settle_fault(*reader_.fault());
  note_outcome();
  result_.pace = observed_pace(reader_);
  compare_rules_digest();
  if (match().digest() != reader_.head().initial_digest) {
    diverge(0, "the digest of the config is " + digest_text(match().digest()) + ", the header says " +
                   digest_text(reader_.head().initial_digest));
  } else {
    play();
  }
  if (result_.verdict == ReplayVerdict::kDiverged) read_rest();
  if (reader_.footer()) compare_ending(reader_.footer()->ending);
  compare_nonce(options.nonce);
  if (reader_.footer()) compare_scores(reader_.footer()->ending.scores);
  if (auto fault = find_claim_fault(options.claimed_scores, result_.scores, result_.scores_not_listed);
      !fault.empty())
    settle(ReplayVerdict::kScoreMismatch, std::move(fault));
  if (reader_.footer()) check_signature(*reader_.footer(), options.public_key);
  if (options.creator) compare_creator(*options.creator);
  if (auto mismatch = find_rules_mismatch(reader_.config(), options.approved_rules))
    settle(ReplayVerdict::kRulesMismatch, *std::move(mismatch));
}

/// A build that has other rules for the same config gives them a new version of the digest.
void Verifier::compare_rules_digest() {
  const std::string& recorded = reader_.head().rules_digest;
  if (recorded.empty() || recorded == result_.rules_digest) return;
  settle_fault({.record = "header",
                .what = "the digest of the config's rules is " + hex(result_.rules_digest) +
                        ", the header says " + hex(recorded)});
}

/// A receipt of version 1 names none, even if the header has one.
void Verifier::compare_creator(const TicketSubject& expected) {
  const TicketSubject& found = reader_.head().creator;
  const auto& footer = reader_.footer();
  const bool is_told = footer && footer->receipt && footer->receipt->version() == 2 && found.is_known();
  if (is_told && found.is_meant_by(expected)) return;
  settle(ReplayVerdict::kBadSignature,
         (is_told ? text_of(found) + " has created the match" : "no receipt tells who created the match") +
             "; " + text_of(expected) + " was expected");
}

void Verifier::compare_nonce(const std::optional<std::string>& nonce) {
  if (!nonce || *nonce == reader_.head().nonce) return;
  // It is another match from the beginning, whatever comes later.
  if (result_.verdict == ReplayVerdict::kDiverged) take_back_divergence();
  diverge(0, "the nonce is " + hex(reader_.head().nonce) + ", " + hex(*nonce) + " was given");
}

void Verifier::note_outcome() {
  result_.ticks_played = match().tick();
  result_.digest = match().digest();
  result_.scores = scores_of(match());
  result_.scores_not_listed = forgotten_rows_.count(match().scoreboard());
  has_ended_ = match().ended();
}

void Verifier::play() {
  bool goes_on = compare_key_frames();
  while (next_chunk_ < reader_.chunks().size() && goes_on) {
    goes_on = play_chunk(next_chunk_);
    if (goes_on) ++next_chunk_;
    goes_on = goes_on && compare_key_frames();
  }
  if (!is_searching_) note_outcome();
}

/// A tick at a time, so that what is read is still at hand when it is played.
bool Verifier::play_chunk(std::size_t index) {
  auto ticks = reader_.open_chunk(index);
  if (!ticks) {
    settle_fault(ticks.error());
    return false;
  }
  while (!ticks->is_done()) {
    if (is_cancelled_ && is_cancelled_()) return false;
    if (is_hopeless_ && is_hopeless_(match().tick(), reader_.tick_count())) return false;
    auto record = ticks->next();
    if (!record) {
      settle_fault(reader_.place(index, record.error()));
      return false;
    }
    if (!play_tick(*record)) return false;
  }
  return true;
}

/// What has not been played, and the key frames that were not looked into: for what cannot be read.
void Verifier::read_rest() {
  bytes_to_read_ = kReadBytesMin + kReadBytesForEach * reader_.byte_count();
  for (; next_chunk_ < reader_.chunks().size(); ++next_chunk_) {
    if (!may_read("chunk " + std::to_string(next_chunk_ + 1), reader_.chunks()[next_chunk_].offset)) return;
    if (!read_chunk(next_chunk_)) break;
  }
  const auto& key_frames = reader_.key_frames();
  for (std::size_t i = 0; i < key_frames.size() && result_.verdict == ReplayVerdict::kDiverged; ++i) {
    if (is_cancelled_ && is_cancelled_()) return;
    if (key_frames[i].tick < result_.diverging_tick || !is_known(key_frames[i])) continue;
    if (!may_read(name_of_key_frame(i), key_frames[i].offset)) return;
    const auto key_frame = reader_.read_key_frame(i);
    if (!key_frame) settle_fault(key_frame.error());
  }
}

/// Takes its bytes from those that may be read; where they are too many, says so.
bool Verifier::may_read(const std::string& record, std::uint64_t offset) {
  const std::uint64_t bytes = reader_.unpacked_bytes_at(offset);
  if (bytes <= bytes_to_read_) {
    bytes_to_read_ -= bytes;
    return true;
  }
  result_.what += "; from " + record + " on it was not read: it unpacks to far more than the file has";
  return false;
}

bool Verifier::read_chunk(std::size_t index) {
  auto ticks = reader_.open_chunk(index);
  if (!ticks) settle_fault(ticks.error());
  while (ticks && !ticks->is_done()) {
    if (is_cancelled_ && is_cancelled_()) return false;
    const auto record = ticks->next();
    if (record) continue;
    settle_fault(reader_.place(index, record.error()));
    return false;
  }
  return ticks.ok();
}

bool Verifier::play_tick(TickRecord& record) {
  const Tick tick = record.tick;
  recorded_digest_ = record.digest;
  if (!is_searching_) cast_.note(record.inputs);
  const Tick before = match().tick();
  const auto divergence = player_.play(std::move(record));
  const bool has_played = match().tick() != before;
  if (has_played && !is_searching_) forgotten_rows_.note(player_.output()->scores);
  if (divergence && !is_searching_) {
    note_outcome();
    const bool is_first = !is_settled();
    diverge(divergence->tick, divergence->what);
    is_searching_ = is_first && has_near_key_frame();
    if (!is_searching_) return false;
  }
  return match().tick() == tick;
}

/// They stand between chunks only. Whether there is anything left to play for.
bool Verifier::compare_key_frames() {
  const auto& key_frames = reader_.key_frames();
  for (; next_key_frame_ < key_frames.size(); ++next_key_frame_) {
    if (key_frames[next_key_frame_].tick != match().tick()) break;
    if (!is_searching_) {
      compare_key_frame(next_key_frame_);
    } else if (find_object(next_key_frame_)) {
      return false;
    }
  }
  return !is_searching_ || has_near_key_frame();
}

/// Whether it is worth it to play on from the tick that diverged to the next key frame. Each chunk is counted
/// once.
bool Verifier::has_near_key_frame() {
  const auto& key_frames = reader_.key_frames();
  const auto& chunks = reader_.chunks();
  if (next_key_frame_ >= key_frames.size()) return false;
  const Tick last = key_frames[next_key_frame_].tick;
  if (last > result_.diverging_tick + kSearchTicksMax) return false;
  counted_chunks_ = std::max(counted_chunks_, next_chunk_);
  for (; counted_chunks_ < chunks.size() && chunks[counted_chunks_].first_tick <= last; ++counted_chunks_)
    searched_bytes_ += reader_.unpacked_bytes_at(chunks[counted_chunks_].offset);
  return searched_bytes_ <= kSearchBytesMax;
}

void Verifier::compare_key_frame(std::size_t index) {
  const Reader::KeyFramePlace& place = reader_.key_frames()[index];
  if (place.digest != match().digest()) {
    diverge(place.tick, "the digest is " + digest_text(match().digest()) + ", " + name_of_key_frame(index) +
                            " says " + digest_text(place.digest));
  }
  if (!is_settled() && is_known(place)) compare_content(index);
}

/// The digest beside it may be copied from elsewhere.
void Verifier::compare_content(std::size_t index) {
  const auto key_frame = reader_.read_key_frame(index);
  if (!key_frame) return settle_fault(key_frame.error());
  if (match().ended()) {
    return settle_fault(reader_.place_of_key_frame(index, "it is of a match that has ended"));
  }
  const auto difference = match().compare(key_frame->content);
  if (!difference) return;
  const std::string what = difference->place + " " + difference->description;
  std::unique_ptr<match::Match> recorded;
  if (key_frame->content.size() <= kOpenedBytesMax) {
    auto restored = match_to_play_from(reader_, *key_frame);
    if (!restored) return settle_fault(reader_.place_of_key_frame(index, "its content: " + what));
    recorded = std::move(*restored);
  }
  diverge(key_frame->tick, "the content of " + name_of_key_frame(index) + " is of another match: " + what);
  if (recorded) name_object(*recorded);
}

/// In the match that has diverged. False: the key frame is of no use.
bool Verifier::find_object(std::size_t index) {
  const Reader::KeyFramePlace& place = reader_.key_frames()[index];
  if (place.digest != recorded_digest_ || !is_known(place)) return false;
  searched_bytes_ += reader_.unpacked_bytes_at(place.offset);
  if (searched_bytes_ > kSearchBytesMax) return false;
  const auto key_frame = reader_.read_key_frame(index);
  if (!key_frame || key_frame->content.size() > kOpenedBytesMax) return false;
  const auto recorded = match_to_play_from(reader_, *key_frame);
  if (!recorded || (*recorded)->digest() != recorded_digest_) return false;
  name_object(**recorded);
  return true;
}

void Verifier::name_object(const match::Match& recorded) {
  result_.compared_tick = match().tick();
  const auto difference =
      first_difference(match().world_at(match().tick()), recorded.world_at(recorded.tick()));
  result_.what += "; after tick " + std::to_string(match().tick());
  if (!difference) {
    result_.what += " no object differs from the key frame";
    return;
  }
  result_.diverging_object = difference->object;
  result_.what += " object " + std::to_string(difference->object) + " " + difference->first +
                  ", in the key frame " + difference->second;
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
    return diverge(result_.ticks_played, "the digest is " + digest_text(result_.digest) +
                                             ", the footer says " + digest_text(ending.final_digest));
  }
  if (has_ended_ != (ending.reason == EndReason::kMatchEnded)) {
    refuse(has_ended_ ? "the match has ended, the footer says that it has not"
                      : "the match has not ended, the footer says that it has");
  }
  if (!ending.cast.has_same_participants(cast_)) refuse("its participants are not those who joined");
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
    what = quoted(computed->name) + " has " + std::to_string(computed->score) + ", the footer says that " +
           quoted(claimed->name) + " has " + std::to_string(claimed->score);
  }
  settle(ReplayVerdict::kScoreMismatch, std::move(what));
}

void Verifier::check_signature(const Footer& footer, const std::optional<PublicKey>& key) {
  if (!footer.receipt) {
    if (key) settle(ReplayVerdict::kBadSignature, "there is no receipt");
    return;
  }
  const PublicKey& expected = key ? *key : footer.receipt->public_key;
  const bool is_good =
      check_receipt(*footer.receipt, expected, {reader_.head(), footer.ending, footer.records_digest});
  result_.receipt_version = footer.receipt->version();
  result_.signature = !is_good ? SignatureState::kBad
                      : key    ? SignatureState::kGood
                               : SignatureState::kUntrusted;
  if (is_good) return;
  settle(ReplayVerdict::kBadSignature, footer.receipt->public_key != expected
                                           ? "the receipt is of another key"
                                           : "the receipt is not over what the replay says");
}

}  // namespace sweepd::replay
