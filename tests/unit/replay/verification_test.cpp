// SPDX-License-Identifier: MIT
//
// Protects: a replay is VERIFIED if and only if playing it again gives what it says; else the verdict says
// what is wrong and where, and the scores that are right are told in any case.
#include "replay/verification.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "recordings/forgery.h"
#include "recordings/random_match.h"
#include "recordings/recorded_tick.h"
#include "recordings/replay_bytes.h"
#include "replay/config_codec.h"
#include "replay/file_format.h"
#include "replay/player.h"
#include "replay/rules_digest.h"

namespace sweepd::replay::verification_test {
namespace {

bool are_equal(const std::vector<match::Score>& a, const std::vector<match::Score>& b) {
  return std::ranges::equal(a, b,
                            [](const match::Score& x, const match::Score& y) { return is_equal(x, y); });
}

using recordings::Forgery;
using recordings::random_replay;
using ::testing::HasSubstr;

constexpr std::uint64_t kSeed = 5;
constexpr std::uint32_t kTicks = 100;

const SigningKey& signing_key() {
  static const SigningKey kKey = SigningKey::generate();
  return kKey;
}

const std::string& signed_replay() {
  static const std::string kBytes =
      random_replay(kSeed, kTicks, {.key = &signing_key(), .key_frame_ticks = 32});
  return kBytes;
}

struct Forged : ::testing::Test {
  /// As a forger leaves it who knows the format.
  Verification verified(const VerificationOptions& options = {}) {
    forgery.make_consistent();
    return verify(forgery.bytes(), options);
  }

  Forgery forgery{signed_replay()};
  const std::vector<match::Score> scores = verify(signed_replay()).scores;
};

TEST(Verification, OfWhatWasRecordedSaysSo) {
  const Verification result = verify(signed_replay(), {.public_key = signing_key().public_key()});
  EXPECT_EQ(result.verdict, ReplayVerdict::kVerified) << result.what;
  EXPECT_EQ(result.signature, SignatureState::kGood);
  EXPECT_EQ(result.ticks_played, kTicks + 1);
  EXPECT_EQ(result.digest, recordings::record_random_match(kSeed, kTicks).back().digest);
  ASSERT_GE(result.scores.size(), 2u);
  EXPECT_TRUE(std::ranges::any_of(result.scores, [](const auto& score) { return score.score != 0; }));
  EXPECT_TRUE(are_equal(result.scores, result.recorded_scores));
  EXPECT_EQ(result.what, "");
}

TEST(Verification, OfAMatchThatStillRunsSaysSo) {
  auto records = recordings::record_random_match(kSeed, kTicks);
  records.pop_back();
  const std::string bytes = recordings::write_replay(recordings::random_match_config(kSeed), records);
  EXPECT_EQ(verify(bytes).verdict, ReplayVerdict::kVerified);
  EXPECT_EQ(verify(bytes).signature, SignatureState::kNone);
}

TEST(Verification, KnowsWhoseSignatureItIs) {
  EXPECT_EQ(verify(signed_replay()).signature, SignatureState::kUntrusted);
  const Verification other = verify(signed_replay(), {.public_key = SigningKey::generate().public_key()});
  EXPECT_EQ(other.verdict, ReplayVerdict::kBadSignature);
  EXPECT_EQ(other.signature, SignatureState::kBad);
  EXPECT_THAT(other.what, HasSubstr("of another key"));
  const std::string without = random_replay(kSeed, kTicks);
  EXPECT_EQ(verify(without).verdict, ReplayVerdict::kVerified);
  const Verification none = verify(without, {.public_key = signing_key().public_key()});
  EXPECT_EQ(none.verdict, ReplayVerdict::kBadSignature);
  EXPECT_THAT(none.what, HasSubstr("no receipt"));
}

TEST_F(Forged, NonceIsTold) {
  forgery.header().set_nonce("recorded at home");
  const Verification result = verified({.public_key = signing_key().public_key()});
  EXPECT_EQ(result.verdict, ReplayVerdict::kBadSignature);
  EXPECT_THAT(result.what, HasSubstr("not over what the replay says"));
}

TEST_F(Forged, ScoreIsToldWithTheRightOne) {
  auto& score = *forgery.footer().mutable_scores(0);
  score.set_score(score.score() + 1'000);
  const Verification result = verified();
  EXPECT_EQ(result.verdict, ReplayVerdict::kScoreMismatch);
  EXPECT_THAT(result.what, HasSubstr("\"" + scores[0].name + "\" has " + std::to_string(scores[0].score) +
                                     ", the footer says"));
  EXPECT_TRUE(are_equal(result.scores, scores));
  EXPECT_EQ(result.recorded_scores[0].score, scores[0].score + 1'000);
}

TEST_F(Forged, ScoreThatIsLeftOutIsTold) {
  forgery.footer().mutable_scores()->RemoveLast();
  EXPECT_EQ(verified().verdict, ReplayVerdict::kScoreMismatch);
}

TEST(Verification, ComparesScoresThatAreClaimedElsewhere) {
  match::Score claim = verify(signed_replay()).scores.at(0);
  EXPECT_EQ(verify(signed_replay(), {.claimed_scores = {claim}}).verdict, ReplayVerdict::kVerified);
  ++claim.score;
  const Verification result = verify(signed_replay(), {.claimed_scores = {claim}});
  EXPECT_EQ(result.verdict, ReplayVerdict::kScoreMismatch);
  EXPECT_THAT(result.what, HasSubstr("claims " + std::to_string(claim.score)));
  claim.name = "nobody";
  EXPECT_THAT(verify(signed_replay(), {.claimed_scores = {claim}}).what, HasSubstr("no score"));
}

TEST_F(Forged, FrameThatIsMissingIsToldByItsTick) {
  const std::size_t chunk = forgery.chunks()[3];
  auto ticks = forgery.ticks_of(chunk);
  TickRecord& victim = ticks[5];
  const auto is_frame = [](const Input& input) { return std::holds_alternative<Submission>(input); };
  const auto frame = std::ranges::find_if(victim.inputs, is_frame);
  ASSERT_NE(frame, victim.inputs.end());
  std::get<Submission>(*frame).frame.tick = 0;
  victim.inputs.erase(frame);
  forgery.set_ticks(chunk, ticks);
  const Verification result = verified();
  EXPECT_EQ(result.verdict, ReplayVerdict::kDiverged) << result.what;
  EXPECT_GE(result.diverging_tick, victim.tick);
  EXPECT_LE(result.diverging_tick, victim.tick + 5) << "as far ahead as a frame may be";
  EXPECT_THAT(result.what, HasSubstr("tick " + std::to_string(result.diverging_tick) + ": the digest is"));
  EXPECT_FALSE(result.scores.empty());
}

TEST_F(Forged, TickThatIsMissingIsTold) {
  auto ticks = forgery.ticks_of(forgery.chunks()[0]);
  ticks.erase(ticks.begin() + 7);
  for (std::size_t i = 7; i < ticks.size(); ++i) --ticks[i].tick;
  forgery.set_ticks(forgery.chunks()[0], ticks);
  EXPECT_EQ(verified().verdict, ReplayVerdict::kMalformed) << "the next chunk comes too late";
}

TEST_F(Forged, DigestIsTold) {
  auto ticks = forgery.ticks_of(forgery.chunks()[2]);
  ticks[1].digest ^= 1;
  forgery.set_ticks(forgery.chunks()[2], ticks);
  const Verification result = verified();
  EXPECT_EQ(result.verdict, ReplayVerdict::kDiverged);
  EXPECT_EQ(result.diverging_tick, ticks[1].tick);
}

TEST_F(Forged, ChunkOfAnotherMatchIsToldByItsFirstTickAtTheLatest) {
  const Forgery other(random_replay(kSeed + 1, kTicks));
  const std::size_t chunk = forgery.chunks()[2];
  forgery.records[chunk] = other.records[other.chunks()[2]];
  EXPECT_EQ(verify(forgery.bytes()).verdict, ReplayVerdict::kMalformed);
  const Verification result = verified();
  EXPECT_EQ(result.verdict, ReplayVerdict::kDiverged);
  EXPECT_EQ(result.diverging_tick, 33u);
}

TEST_F(Forged, DigestsOfFooterKeyFrameAndHeaderAreTold) {
  const Forgery original = forgery;
  forgery.footer().set_final_digest(1);
  EXPECT_THAT(verified().what, HasSubstr("the footer says 0000000000000001"));
  forgery = original;
  forgery.records[3].mutable_key_frame()->set_digest(2);
  EXPECT_THAT(verified().what, HasSubstr("tick 32: the digest is"));
  forgery = original;
  forgery.header().set_initial_digest(3);
  const Verification result = verified();
  EXPECT_EQ(result.verdict, ReplayVerdict::kDiverged);
  EXPECT_EQ(result.ticks_played, 0u);
}

TEST_F(Forged, RulesAreToldBeforeTheFirstTick) {
  match::MatchConfig config = recordings::random_match_config(kSeed);
  config.scoring[0].points = 1'000;
  forgery.header().set_config(encode_config(config));
  EXPECT_EQ(verified().verdict, ReplayVerdict::kMalformed) << "the header has the digest of other rules";
  forgery.header().set_rules_digest(rules_digest(config));
  const Verification result = verified();
  EXPECT_EQ(result.verdict, ReplayVerdict::kDiverged);
  EXPECT_EQ(result.diverging_tick, 0u);
}

TEST_F(Forged, ConfigThatNoMatchCanHaveIsTold) {
  match::MatchConfig config = recordings::random_match_config(kSeed);
  config.layers.clear();
  forgery.header().set_config(encode_config(config));
  const Verification result = verified();
  EXPECT_EQ(result.verdict, ReplayVerdict::kMalformed);
  EXPECT_THAT(result.what, HasSubstr("header: no match can have this config"));
}

TEST_F(Forged, EndAndCastAreTold) {
  const Forgery original = forgery;
  forgery.footer().set_end_reason(static_cast<std::uint32_t>(EndReason::kStillRunning));
  EXPECT_THAT(verified().what, HasSubstr("the match has ended, the footer says that it has not"));
  forgery = original;
  forgery.footer().mutable_participants(0)->set_name("somebody else");
  const Verification result = verified();
  EXPECT_EQ(result.verdict, ReplayVerdict::kMalformed);
  EXPECT_THAT(result.what, HasSubstr("footer: its participants are not those who joined"));
}

/// Of the last chunk, with everything that seals it right.
void break_last_chunk(Forgery& forgery) {
  auto& chunk = *forgery.records[forgery.chunks().back()].mutable_chunk();
  chunk.set_content("no ticks");
}

TEST_F(Forged, ChunkThatIsBrokenIsToldBeforeADivergenceThatComesBeforeIt) {
  auto ticks = forgery.ticks_of(forgery.chunks()[1]);
  ticks[1].digest ^= 1;
  forgery.set_ticks(forgery.chunks()[1], ticks);
  const Verification diverged = verified();
  EXPECT_EQ(diverged.verdict, ReplayVerdict::kDiverged);
  break_last_chunk(forgery);
  const Verification result = verified();
  EXPECT_EQ(result.verdict, ReplayVerdict::kMalformed) << result.what;
  ASSERT_TRUE(result.fault);
  EXPECT_EQ(result.fault->record, "chunk " + std::to_string(forgery.chunks().size()));
  EXPECT_EQ(result.diverging_tick, 0u);
  EXPECT_FALSE(result.diverging_object);
  // What could be played is told in any case.
  EXPECT_EQ(result.ticks_played, diverged.ticks_played);
  EXPECT_TRUE(are_equal(result.scores, diverged.scores));
}

TEST_F(Forged, ChunkThatIsBrokenIsToldWhereNothingCouldBePlayed) {
  forgery.header().set_initial_digest(3);
  break_last_chunk(forgery);
  const Verification result = verified();
  EXPECT_EQ(result.verdict, ReplayVerdict::kMalformed) << result.what;
  EXPECT_EQ(result.ticks_played, 0u);
}

TEST_F(Forged, KeyFrameThatIsBrokenIsToldBeforeADivergenceThatComesBeforeIt) {
  auto ticks = forgery.ticks_of(forgery.chunks()[0]);
  ticks[1].digest ^= 1;
  forgery.set_ticks(forgery.chunks()[0], ticks);
  forgery.records[forgery.key_frames().back()].mutable_key_frame()->set_content("no key frame");
  const Verification result = verified();
  EXPECT_EQ(result.verdict, ReplayVerdict::kMalformed) << result.what;
  EXPECT_THAT(result.what, HasSubstr("key frame " + std::to_string(forgery.key_frames().size())));
}

TEST_F(Forged, WhatIsBrokenIsToldBeforeAWrongNonce) {
  const VerificationOptions options{.nonce = "of another match"};
  EXPECT_EQ(verified(options).verdict, ReplayVerdict::kDiverged);
  EXPECT_EQ(verified(options).diverging_tick, 0u);
  const Forgery original = forgery;
  break_last_chunk(forgery);
  EXPECT_EQ(verified(options).verdict, ReplayVerdict::kMalformed);
  forgery = original;
  forgery.footer().mutable_participants(0)->set_name("somebody else");
  EXPECT_EQ(verified(options).verdict, ReplayVerdict::kMalformed);
  forgery = original;
  forgery.footer().mutable_scores(0)->set_score(1'000'000);
  EXPECT_EQ(verified(options).verdict, ReplayVerdict::kDiverged);
}

TEST_F(Forged, NonceIsToldBeforeALaterDivergence) {
  auto ticks = forgery.ticks_of(forgery.chunks()[1]);
  ticks[1].digest ^= 1;
  forgery.set_ticks(forgery.chunks()[1], ticks);
  const Verification result = verified({.nonce = "of another match"});
  EXPECT_EQ(result.verdict, ReplayVerdict::kDiverged);
  EXPECT_EQ(result.diverging_tick, 0u);
  EXPECT_THAT(result.what, HasSubstr("the nonce is"));
  EXPECT_FALSE(result.diverging_object);
  EXPECT_EQ(result.ticks_played, ticks[1].tick);
}

/// Each that comes hits what stands there, and leaves.
std::string replay_of_leavers(std::uint32_t count) {
  match::MatchConfig config;
  config.layers = {"ship", "rock"};
  config.collides = {{.layer_a = "ship", .layer_b = "rock"}};
  config.scoring = {{.layer_a = "ship", .layer_b = "rock", .points = 10}};
  config.late_frames = match::LateFramePolicy::kApplyNext;
  Recorder recorder(std::move(match::Match::create(config).value()));
  std::vector<TickRecord> records;
  const auto spawn = [&recorder](const std::string& name, match::ObjectId offset, std::uint32_t layer) {
    const auto joined = recorder.apply(Join{.name = name});
    match::Frame frame;
    collision::Part part{.box = {-256, -256, 256, 256}};
    part.layer = layer;
    frame.spawns = {{.id = joined->first_id + offset, .position = {}, .parts = {part}}};
    EXPECT_FALSE(recorder.apply(Submission{joined->number, std::move(frame)}));
    return joined->number;
  };
  const auto step = [&] {
    recorder.step();
    records.push_back(recordings::take_record(recorder));
  };
  spawn("rock", 1, 1);
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto number = spawn("guest " + std::to_string(i), i, 0);
    step();
    recorder.apply(Leave{number});
  }
  step();
  return recordings::write_replay(config, records);
}

TEST(Verification, CountsTheRowsOfWhoLeftThatAreNotListed) {
  constexpr std::uint32_t kListed = match::Scoreboard::kFormerScoresMax;
  EXPECT_EQ(verify(replay_of_leavers(kListed)).scores_not_listed, 0u);
  const std::string bytes = replay_of_leavers(kListed + 3);
  const Verification result = verify(bytes);
  EXPECT_EQ(result.verdict, ReplayVerdict::kVerified) << result.what;
  EXPECT_EQ(result.scores_not_listed, 3u);
  const Verification claimed = verify(bytes, {.claimed_scores = {result.scores.back()}});
  EXPECT_EQ(claimed.verdict, ReplayVerdict::kScoreMismatch);
  EXPECT_THAT(claimed.what, HasSubstr("3 further rows of players who left are not listed"));
}

/// Small, as all its ticks are the same; a key frame stands behind them.
std::string swollen_replay(std::uint64_t chunks) {
  constexpr std::uint64_t kChunkTicks = 2'000'000;
  Forgery forgery(random_replay(kSeed, 40, {.key_frame_ticks = 32}));
  std::erase_if(forgery.records, [](const auto& record) { return record.has_chunk(); });
  const auto key_frame = forgery.records.begin() + 1;
  key_frame->mutable_key_frame()->set_tick(chunks * kChunkTicks);
  std::vector<TickRecord> ticks(kChunkTicks);
  for (std::uint64_t i = 0; i < chunks; ++i) {
    for (std::uint64_t tick = 0; tick < kChunkTicks; ++tick) ticks[tick].tick = i * kChunkTicks + tick + 1;
    const auto at = static_cast<std::ptrdiff_t>(i + 1);
    forgery.records.insert(forgery.records.begin() + at, v1::Record());
    forgery.set_ticks(static_cast<std::size_t>(at), ticks);
  }
  forgery.make_consistent();
  return forgery.bytes();
}

// It was played to its end for the object that differs.
TEST(Verification, OfASmallFileOfEndlessTicksThatAreWrongIsOverSoon) {
  const std::string bytes = swollen_replay(8);
  ASSERT_LT(bytes.size(), 1'000'000u);
  std::uint64_t played = 0;
  std::uint64_t read = 0;
  const VerificationOptions options{.is_cancelled = [&] { return ++read > 16'000'000; },
                                    .is_hopeless = [&](auto, auto) { return ++played > 100'000; }};
  const Verification result = verify(bytes, options);
  EXPECT_EQ(result.verdict, ReplayVerdict::kDiverged) << result.what;
  EXPECT_EQ(result.diverging_tick, 1u);
  EXPECT_LE(played, 1u);
  EXPECT_LT(read, 12'000'000u);
  EXPECT_THAT(result.what, HasSubstr(" on it was not read"));
}

TEST(Verification, OfAFileThatIsCutOffStillTellsTheScoresSoFar) {
  const std::string bytes = signed_replay().substr(0, signed_replay().size() / 2);
  const Verification result = verify(bytes);
  EXPECT_EQ(result.verdict, ReplayVerdict::kMalformed);
  ASSERT_TRUE(result.fault);
  EXPECT_EQ(result.fault->kind, FaultKind::kCutOff);
  EXPECT_GT(result.ticks_played, 15u);
  EXPECT_EQ(result.digest, recordings::record_random_match(kSeed, kTicks)[result.ticks_played - 1].digest);
  EXPECT_FALSE(result.scores.empty());
}

TEST(Verification, OfNoReplayOrANewerOneSaysSo) {
  EXPECT_EQ(verify("no replay").verdict, ReplayVerdict::kMalformed);
  std::string newer = signed_replay();
  newer[8] = static_cast<char>(kFormatVersion + 1);
  EXPECT_EQ(verify(newer).verdict, ReplayVerdict::kUnsupportedVersion);
}

TEST(Verification, NamesItsVerdicts) {
  EXPECT_EQ(name_of(ReplayVerdict::kVerified), "VERIFIED");
  EXPECT_EQ(name_of(ReplayVerdict::kBadSignature), "BAD_SIGNATURE");
}

}  // namespace
}  // namespace sweepd::replay::verification_test
