// SPDX-License-Identifier: MIT
//
// Protects: whatever happens in a match, its replay is VERIFIED, with the same digests and scores; and
// whatever is done to a replay, it is not any more, and what was done is named. Seeds are fixed; a failure
// names its own.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "property/random.h"
#include "recordings/forgery.h"
#include "recordings/random_match.h"
#include "recordings/replay_bytes.h"
#include "replay/verification.h"

namespace sweepd::replay {
namespace {

using property::Random;
using recordings::Forgery;

const SigningKey& signing_key() {
  static const SigningKey kKey = SigningKey::generate();
  return kKey;
}

TEST(Replays, OfRandomMatchesAreVerified) {
  for (std::uint64_t seed = 100; seed < 150; ++seed) {
    recordings::RandomMatch match(seed);
    std::vector<TickRecord> records;
    for (int i = 0; i < 150; ++i) records.push_back(match.play_tick());
    records.push_back(match.end());
    const auto scores = scores_of(match.match());
    const auto ticks_per_chunk = static_cast<std::uint32_t>(1 + seed % 40);
    const std::string bytes = recordings::write_replay(recordings::random_match_config(seed), records,
                                                       {.writer = {ticks_per_chunk}, .key = &signing_key()});
    const Verification result = verify(bytes, {signing_key().public_key(), scores});
    ASSERT_EQ(result.verdict, ReplayVerdict::kVerified) << "seed " << seed << ": " << result.what;
    ASSERT_EQ(result.digest, match.match().digest());
    ASSERT_TRUE(std::ranges::equal(result.scores, scores, is_equal));
  }
}

constexpr std::uint32_t kTicks = 60;  ///< And the end; in chunks of 8.

/// What a mutation did, and what may be said of it.
struct Expectation {
  std::string done;
  std::vector<ReplayVerdict> verdicts;
  Tick first_tick = 0;  ///< DIVERGED: not before this.
  Tick last_tick = 0;   ///< And not after this; 0: wherever.
};

class Mutation {
 public:
  Mutation(const std::string& whole, const std::string& other, std::uint64_t seed)
      : random_(seed), bytes_(whole), other_(other) {}

  Expectation mutate(std::size_t kind);
  const std::string& bytes() const { return bytes_; }

 private:
  Expectation flip_bit();
  Expectation cut_off();
  Expectation remove_bytes();
  Expectation insert_bytes();
  Expectation drop_chunk(bool is_relinked);
  Expectation splice_chunk();
  Expectation swap_chunks();
  Expectation edit_score();
  Expectation edit_signature();
  Expectation edit_digest();
  Expectation edit_move();
  Expectation drop_frame();
  Expectation drop_tick();

  std::size_t any_chunk(const Forgery& forgery) {
    const auto chunks = forgery.chunks();
    return chunks[random_.index(chunks.size())];
  }
  void put(Forgery& forgery, bool is_consistent) {
    if (is_consistent) forgery.make_consistent();
    bytes_ = forgery.bytes();
  }

  Random random_;
  std::string bytes_;
  const std::string& other_;
};

constexpr auto kMalformed = ReplayVerdict::kMalformed;
constexpr auto kUnsupported = ReplayVerdict::kUnsupportedVersion;
constexpr auto kDiverged = ReplayVerdict::kDiverged;

Expectation Mutation::flip_bit() {
  const std::size_t place = random_.index(bytes_.size());
  bytes_[place] = static_cast<char>(bytes_[place] ^ 1 << random_.index(8));
  const bool is_in_version = place >= 8 && place < 12;
  return {"a bit of byte " + std::to_string(place) + " is flipped",
          {is_in_version ? kUnsupported : kMalformed}};
}

Expectation Mutation::cut_off() {
  bytes_.resize(random_.index(bytes_.size()));
  return {"cut off after byte " + std::to_string(bytes_.size()), {kMalformed}};
}

Expectation Mutation::remove_bytes() {
  const std::size_t place = random_.index(bytes_.size());
  bytes_.erase(place, 1 + random_.index(20));
  return {"bytes removed from " + std::to_string(place) + " on", {kMalformed, kUnsupported}};
}

Expectation Mutation::insert_bytes() {
  const std::size_t place = random_.index(bytes_.size() + 1);
  bytes_.insert(place, std::string(1 + random_.index(20), static_cast<char>(random_.index(256))));
  return {"bytes inserted at " + std::to_string(place), {kMalformed, kUnsupported}};
}

Expectation Mutation::drop_chunk(bool is_relinked) {
  Forgery forgery(bytes_);
  const std::size_t chunk = any_chunk(forgery);
  const bool is_last = chunk == forgery.chunks().back();
  forgery.records.erase(forgery.records.begin() + static_cast<std::ptrdiff_t>(chunk));
  put(forgery, is_relinked);
  // The last one may be missing without a gap between the ticks; then the end is another.
  return {"record " + std::to_string(chunk) + " dropped", {is_relinked && is_last ? kDiverged : kMalformed}};
}

Expectation Mutation::splice_chunk() {
  Forgery forgery(bytes_);
  const Forgery other(other_);
  const std::size_t chunk = any_chunk(forgery);
  const Tick first_tick = forgery.records[chunk].chunk().first_tick();
  forgery.records[chunk] = other.records[chunk];
  const bool is_relinked = random_.chance(50);
  put(forgery, is_relinked);
  return {"record " + std::to_string(chunk) + " taken from another match",
          {is_relinked ? kDiverged : kMalformed},
          first_tick,
          first_tick};
}

Expectation Mutation::swap_chunks() {
  Forgery forgery(bytes_);
  const std::size_t chunk = random_.index(2) + 1;
  std::swap(forgery.records[chunk], forgery.records[chunk + 1]);
  put(forgery, random_.chance(50));
  return {"records swapped", {kMalformed}};
}

Expectation Mutation::edit_score() {
  Forgery forgery(bytes_);
  auto& scores = *forgery.footer().mutable_scores();
  auto& score = *scores.Mutable(static_cast<int>(random_.index(static_cast<std::size_t>(scores.size()))));
  score.set_score(score.score() + random_.between(1, 1'000));
  put(forgery, true);
  return {"a score edited", {ReplayVerdict::kScoreMismatch}};
}

Expectation Mutation::edit_signature() {
  Forgery forgery(bytes_);
  auto& signature = *forgery.footer().mutable_signature();
  signature[random_.index(signature.size())] ^= static_cast<char>(1 << random_.index(8));
  put(forgery, true);
  return {"the signature edited", {ReplayVerdict::kBadSignature}};
}

Expectation Mutation::edit_digest() {
  Forgery forgery(bytes_);
  const std::size_t chunk = any_chunk(forgery);
  auto ticks = forgery.ticks_of(chunk);
  TickRecord& tick = ticks[random_.index(ticks.size())];
  tick.digest ^= std::uint64_t{1} << random_.index(64);
  forgery.set_ticks(chunk, ticks);
  put(forgery, true);
  return {"a digest edited", {kDiverged}, tick.tick, tick.tick};
}

/// Of what is applied in its own tick, so that the tick is known.
match::Frame* any_frame(std::vector<TickRecord>& ticks, Random& random, Tick& tick, bool has_to_move) {
  std::vector<std::pair<match::Frame*, Tick>> frames;
  for (TickRecord& record : ticks) {
    for (Input& input : record.inputs) {
      Submission* submission = std::get_if<Submission>(&input);
      const bool is_now = submission != nullptr && submission->frame.tick <= record.tick;
      if (!is_now || record.ends_match || submission->frame.spawns.empty()) continue;
      if (!has_to_move || !submission->frame.moves.empty())
        frames.emplace_back(&submission->frame, record.tick);
    }
  }
  if (frames.empty()) return nullptr;
  const auto [frame, frame_tick] = frames[random.index(frames.size())];
  tick = frame_tick;
  return frame;
}

Expectation Mutation::edit_move() {
  Forgery forgery(bytes_);
  const std::size_t chunk = any_chunk(forgery);
  auto ticks = forgery.ticks_of(chunk);
  Tick tick = 0;
  match::Frame* frame = any_frame(ticks, random_, tick, true);
  if (frame == nullptr) return edit_score();
  frame->moves[random_.index(frame->moves.size())].position.x += random_.chance(50) ? 1 : -1;
  forgery.set_ticks(chunk, ticks);
  put(forgery, true);
  return {"a move edited in tick " + std::to_string(tick), {kDiverged}, tick, tick};
}

Expectation Mutation::drop_frame() {
  Forgery forgery(bytes_);
  const std::size_t chunk = any_chunk(forgery);
  auto ticks = forgery.ticks_of(chunk);
  Tick tick = 0;
  match::Frame* frame = any_frame(ticks, random_, tick, false);
  if (frame == nullptr) return edit_score();
  for (TickRecord& record : ticks) {
    std::erase_if(record.inputs, [frame](const Input& input) {
      const Submission* submission = std::get_if<Submission>(&input);
      return submission != nullptr && &submission->frame == frame;
    });
  }
  forgery.set_ticks(chunk, ticks);
  put(forgery, true);
  return {"a frame dropped in tick " + std::to_string(tick), {kDiverged}, tick, tick};
}

/// All later ones are renumbered, so that nothing but the match itself can tell.
Expectation Mutation::drop_tick() {
  Forgery forgery(bytes_);
  const auto chunks = forgery.chunks();
  const std::size_t victim = random_.index(chunks.size() - 1);
  Tick tick = 0;
  for (std::size_t i = victim; i < chunks.size(); ++i) {
    auto ticks = forgery.ticks_of(chunks[i]);
    if (i == victim) {
      const std::size_t place = random_.index(ticks.size());
      tick = ticks[place].tick;
      ticks.erase(ticks.begin() + static_cast<std::ptrdiff_t>(place));
      for (std::size_t k = place; k < ticks.size(); ++k) --ticks[k].tick;
    } else {
      for (TickRecord& record : ticks) --record.tick;
    }
    forgery.set_ticks(chunks[i], ticks);
  }
  std::erase_if(forgery.records, [](const v1::Record& record) { return record.has_key_frame(); });
  put(forgery, true);
  return {"tick " + std::to_string(tick) + " dropped", {kDiverged}, tick, tick};
}

Expectation Mutation::mutate(std::size_t kind) {
  switch (kind) {
    case 0:
      return cut_off();
    case 1:
      return remove_bytes();
    case 2:
      return insert_bytes();
    case 3:
      return drop_chunk(false);
    case 4:
      return drop_chunk(true);
    case 5:
      return splice_chunk();
    case 6:
      return swap_chunks();
    case 7:
      return edit_score();
    case 8:
      return edit_signature();
    case 9:
      return edit_digest();
    case 10:
      return edit_move();
    case 11:
      return drop_frame();
    case 12:
      return drop_tick();
    default:
      return flip_bit();
  }
}

constexpr std::size_t kKinds = 20;  ///< A third of all are single bits.

TEST(Replays, OfWhichAnythingWasChangedAreNotVerifiedAndSayWhatItWas) {
  const std::string whole = recordings::random_replay(
      3, kTicks, {.match_id = "ours", .writer = {8}, .key = &signing_key(), .key_frame_ticks = 24});
  const std::string other = recordings::random_replay(
      4, kTicks, {.match_id = "another", .writer = {8}, .key = &signing_key(), .key_frame_ticks = 24});
  const VerificationOptions options{.public_key = signing_key().public_key()};
  ASSERT_EQ(verify(whole, options).verdict, ReplayVerdict::kVerified);
  ASSERT_EQ(verify(other, options).verdict, ReplayVerdict::kVerified);
  for (std::uint64_t seed = 0; seed < 1'000; ++seed) {
    Mutation mutation(whole, other, seed);
    const Expectation expected = mutation.mutate(seed % kKinds);
    ASSERT_NE(mutation.bytes(), whole) << "seed " << seed;
    const Verification result = verify(mutation.bytes(), options);
    SCOPED_TRACE("seed " + std::to_string(seed) + ": " + expected.done + "; " + result.what);
    ASSERT_THAT(expected.verdicts, ::testing::Contains(result.verdict)) << name_of(result.verdict);
    ASSERT_NE(result.what, "");
    if (result.verdict != ReplayVerdict::kDiverged || expected.last_tick == 0) continue;
    ASSERT_GE(result.diverging_tick, expected.first_tick);
    ASSERT_LE(result.diverging_tick, expected.last_tick);
  }
}

}  // namespace
}  // namespace sweepd::replay
