// SPDX-License-Identifier: MIT
//
// Protects who believes a receipt from those who know the format and all that a server has signed: what they
// put together carries no receipt, and what strangers and easier rules have earned is known for that.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "recordings/forgery.h"
#include "recordings/recorded_tick.h"
#include "replay/recorder.h"
#include "replay/sha256.h"
#include "replay/verification.h"
#include "replay/writer.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace sweepd::replay::attack_test {
namespace {

using match::Frame;
using match::MatchConfig;
using recordings::Forgery;
using ::testing::HasSubstr;

constexpr Tick kSolvedTick = 4;
constexpr std::int32_t kTenPixels = 10 * 256;

MatchConfig official_config() {
  MatchConfig config;
  config.layers = {"ship", "bullet"};
  config.collides = {{.layer_a = "ship", .layer_b = "bullet"}};
  config.late_frames = match::LateFramePolicy::kApplyNext;
  config.scoring = {{.layer_a = "ship", .layer_b = "bullet", .points = 10}};
  config.ruleset = {"arena", "1"};
  return config;
}

Creation by(const std::string& name) {
  return {.rules = {}, .creator = {name, "https://tickets.example", ""}, .time_unix_ms = 1'700'000'000'000};
}

/// How a match is played: what of it a test varies.
struct Play {
  MatchConfig config = official_config();
  Creation creation = by("studio");
  std::uint32_t digest_version = match::kDigestVersion;
  std::int32_t detour = 0;  ///< Where the ship is in tick 2, and in no other.
  /// Words of a change that is refused in kSolvedTick.
  std::optional<collision::Motion> refused = {};
  Timeline timeline = {.start_unix_ms = 1'700'000'001'000, .end_unix_ms = 1'700'000'001'083};
  std::string match_id = "arena-7";
};

struct Played {
  std::vector<TickRecord> records;
  std::string bytes;
};

Frame move_to(std::int32_t x) {
  Frame frame;
  frame.moves = {{1, {x, 0}}};
  frame.relative_moves = 1;
  return frame;
}

Frame frame_of(const Play& play, Tick tick) {
  Frame frame;
  if (tick == 1) {
    collision::ObjectSpec ship;
    ship.id = 1;
    ship.parts = {{.box = {-256, -256, 256, 256}}};
    frame.spawns = {ship};
  }
  if (tick == 2) frame = move_to(play.detour);
  if (tick == 3) frame = move_to(0);
  if (tick == kSolvedTick && play.refused) {
    frame.moves = {{999'999, {}}};
    frame.motions = {{999'999, *play.refused}};
  }
  return frame;
}

/// Five ticks of one ship, signed by `key`.
Played play(const Play& play, const SigningKey* key) {
  Recorder recorder(std::move(match::Match::create(play.config, play.digest_version).value()));
  Writer writer(head_of(recorder.match(), play.match_id, "a nonce", play.creation), {.ticks_per_chunk = 2});
  Played played;
  const auto ann = recorder.apply(Join{.name = "ann"});
  for (Tick tick = 1; tick <= kSolvedTick + 1; ++tick) {
    if (tick <= kSolvedTick) (void)recorder.apply(Submission{ann->number, frame_of(play, tick)});
    if (tick <= kSolvedTick) recorder.step();
    if (tick > kSolvedTick) recorder.end();
    played.records.push_back(recordings::take_record(recorder));
    EXPECT_TRUE(writer.add(played.records.back()));
  }
  Ending ending{.tick_count = kSolvedTick + 1,
                .final_digest = recorder.match().digest(),
                .scores = scores_of(recorder.match()),
                .cast = {},
                .timeline = play.timeline};
  for (const TickRecord& record : played.records) ending.cast.note(record.inputs);
  writer.finish(ending, key);
  played.bytes = writer.take_bytes();
  return played;
}

std::uint64_t undo_avalanche(std::uint64_t hash) {
  constexpr std::uint64_t kInverse = 0x8da8ee41d6df849ULL;  // Of XXH3's multiplier, modulo 2^64.
  static_assert(kInverse * 0x165667919e3779f9ULL == 1);
  hash ^= hash >> 32;
  hash *= kInverse;
  return hash ^ hash >> 37;
}

collision::Point point_of(std::uint64_t word) {
  return {static_cast<std::int32_t>(static_cast<std::uint32_t>(word)), static_cast<std::int32_t>(word >> 32)};
}

/// The 16 bytes of XXH3's secret that the words of the refused motion meet: they are words 4 and 5 of 8.
constexpr std::size_t kSecretOffset = 48;

/// Words with which kSolvedTick of `forged` has the digest `wanted`. The tick hashes eight words; of each two
/// XXH3 takes the product, so one that is made 1 hands on the other as it is.
collision::Motion solve(Play forged, std::uint64_t wanted) {
  forged.refused = collision::Motion{};
  const Played trial = play(forged, nullptr);
  const std::uint64_t seed = trial.records[kSolvedTick - 2].digest;
  const auto* secret = XXH3_kSecret + kSecretOffset;
  const std::array<std::uint64_t, 2> zeros{};
  const std::uint64_t others = undo_avalanche(trial.records[kSolvedTick - 1].digest) -
                               XXH3_mix16B(reinterpret_cast<const xxh_u8*>(zeros.data()), secret, seed);
  const std::uint64_t needed = undo_avalanche(wanted) - others;
  const std::uint64_t low = needed ^ (XXH_readLE64(secret) + seed);
  const std::uint64_t high = 1 ^ (XXH_readLE64(secret + 8) - seed);
  return {.velocity = point_of(low), .acceleration = point_of(high)};
}

/// `forged` with the receipt, and all else that its server says, of `original`.
std::string with_receipt_of(const std::string& original, const std::string& forged) {
  Forgery from(original);
  Forgery forgery(forged);
  forgery.header() = from.header();
  const auto own = forgery.footer();
  forgery.footer() = from.footer();
  forgery.make_consistent();
  forgery.footer().set_final_digest(own.final_digest());
  return forgery.bytes();
}

class Attack : public ::testing::Test {
 protected:
  Verification verify_official(const std::string& bytes) const {
    VerificationOptions options{.public_key = key_.public_key()};
    options.approved_rules = {{"official.toml", official_config()}};
    options.creator = {"studio", "", ""};
    return verify(bytes, options);
  }

  /// The ship ten pixels elsewhere in tick 2, with words chosen so that the digests do not show it.
  std::string solved_forgery(std::uint32_t digest_version) {
    Play original{.digest_version = digest_version};
    const Played official = play(original, &key_);
    Play forged = original;
    forged.detour = kTenPixels;
    forged.refused = solve(forged, official.records[kSolvedTick - 1].digest);
    final_digest_ = official.records.back().digest;
    const Played played = play(forged, nullptr);
    forged_digest_ = played.records.back().digest;
    return with_receipt_of(official.bytes, played.bytes);
  }

  const SigningKey key_ = SigningKey::generate();
  std::uint64_t final_digest_ = 0;
  std::uint64_t forged_digest_ = 0;
};

TEST_F(Attack, OfficialReplaysAreVerified) {
  const Verification result = verify_official(play({}, &key_).bytes);
  EXPECT_EQ(result.verdict, ReplayVerdict::kVerified) << result.what;
  EXPECT_EQ(result.signature, SignatureState::kGood);
  EXPECT_EQ(result.receipt_version, 2u);
}

// What recorded matches of the first version have to live with: so their receipts are called weaker.
TEST_F(Attack, ChosenWordsSolveForADigestOfTheFirstVersion) {
  const std::string forged = solved_forgery(match::kFirstDigestVersion);
  EXPECT_EQ(forged_digest_, final_digest_);
  const Verification result = verify(forged, {.public_key = key_.public_key()});
  EXPECT_EQ(result.verdict, ReplayVerdict::kVerified) << result.what;
  EXPECT_EQ(result.receipt_version, 1u);
}

TEST_F(Attack, ChosenWordsOfRefusedChangesMoveNoDigestOfLaterVersions) {
  const std::string forged = solved_forgery(match::kDigestVersion);
  EXPECT_NE(forged_digest_, final_digest_);
  EXPECT_EQ(verify_official(forged).verdict, ReplayVerdict::kBadSignature);
}

// 64 bits prove nothing, whichever words a sender may choose. Here the forger has what it needs for free.
TEST_F(Attack, EqualDigestsCarryNoReceiptToOtherInputs) {
  Play noisy;
  noisy.refused = collision::Motion{{1, 2}, {3, 4}};
  const Played official = play(noisy, &key_);
  noisy.refused = collision::Motion{{5, 6}, {7, 8}};
  const Played other = play(noisy, nullptr);
  ASSERT_EQ(official.records.back().digest, other.records.back().digest);
  EXPECT_EQ(verify_official(official.bytes).verdict, ReplayVerdict::kVerified);
  const Verification result = verify_official(with_receipt_of(official.bytes, other.bytes));
  EXPECT_EQ(result.verdict, ReplayVerdict::kBadSignature);
  EXPECT_EQ(result.signature, SignatureState::kBad);
}

TEST_F(Attack, AReceiptIsNotTransplanted) {
  Play other;
  other.match_id = "arena-8";
  Forgery forgery(play(other, &key_).bytes);
  Forgery donor(play({}, &key_).bytes);
  forgery.footer().set_statement(donor.footer().statement());
  forgery.footer().set_signature(donor.footer().signature());
  EXPECT_EQ(verify_official(forgery.bytes()).verdict, ReplayVerdict::kBadSignature);
}

TEST_F(Attack, ARecordIsNotSplicedIn) {
  Play detour;
  detour.detour = kTenPixels;
  Forgery forgery(play({}, &key_).bytes);
  const Forgery donor(play(detour, &key_).bytes);
  const std::size_t chunk = forgery.chunks().front();
  forgery.records[chunk] = donor.records[chunk];
  EXPECT_NE(verify_official(forgery.bytes()).verdict, ReplayVerdict::kVerified);
  forgery.make_consistent();
  EXPECT_NE(verify_official(forgery.bytes()).verdict, ReplayVerdict::kVerified);
}

TEST_F(Attack, EasierRulesOfTheSameNameAreNamed) {
  Play easier;
  easier.config.scoring[0].points = 1'000'000;
  const Verification result = verify_official(play(easier, &key_).bytes);
  EXPECT_EQ(result.verdict, ReplayVerdict::kRulesMismatch);
  EXPECT_THAT(result.what,
              HasSubstr("scoring[0].points is 1000000; the approved rules official.toml have 10"));
  EXPECT_EQ(result.signature, SignatureState::kGood);
}

TEST_F(Attack, AStrangersMatchIsAStrangers) {
  const Verification strangers = verify_official(play({.creation = by("eve")}, &key_).bytes);
  EXPECT_EQ(strangers.verdict, ReplayVerdict::kBadSignature);
  EXPECT_THAT(
      strangers.what,
      HasSubstr(R"("eve" by "https://tickets.example" has created the match; "studio" was expected)"));
  const Verification unknown = verify_official(play({.creation = {}}, &key_).bytes);
  EXPECT_THAT(unknown.what, HasSubstr("no receipt tells who created the match"));
}

TEST_F(Attack, ASlowedClockShowsAndCannotBeTakenOut) {
  Play slow;
  slow.timeline.note({1, 1'700'000'001'000, false, 10, false});
  slow.timeline.note({2, 1'700'000'002'000, true, 10, false});
  slow.timeline.end_unix_ms += 60'000;
  const std::string bytes = play(slow, &key_).bytes;
  EXPECT_EQ(verify_official(bytes).verdict, ReplayVerdict::kVerified);
  const auto reader = Reader::open(bytes);
  ASSERT_TRUE(reader.ok());
  EXPECT_EQ(reader->footer()->ending.timeline, slow.timeline);
  const std::vector<std::function<void(v1::Footer&)>> changes = {
      [](v1::Footer& footer) { footer.clear_clock_changes(); },
      [](v1::Footer& footer) { footer.mutable_clock_changes(0)->set_tick_rate_hz(60); },
      [](v1::Footer& footer) { footer.set_end_unix_ms(1'700'000'001'083); },
  };
  for (std::size_t i = 0; i < changes.size(); ++i) {
    Forgery forgery(bytes);
    changes[i](forgery.footer());
    EXPECT_EQ(verify_official(forgery.bytes()).verdict, ReplayVerdict::kBadSignature) << i;
  }
}

// Of a later match the weaker receipt would do for any inputs: a server signs none.
TEST_F(Attack, ALaterMatchIsNotPassedOffAsOneOfTheFirstVersion) {
  Forgery forgery(play({}, &key_).bytes);
  forgery.header().set_digest_version(match::kFirstDigestVersion);
  forgery.footer().clear_statement();
  forgery.make_consistent();
  EXPECT_NE(verify_official(forgery.bytes()).verdict, ReplayVerdict::kVerified);
}

// No receipt of version 1 is over a creator, so the header of its replay says none.
TEST_F(Attack, ACreatorIsNotWrittenIntoAMatchOfTheFirstVersion) {
  Play first{.digest_version = match::kFirstDigestVersion};
  const std::string bytes = play(first, &key_).bytes;
  EXPECT_EQ(verify(bytes, {.public_key = key_.public_key()}).verdict, ReplayVerdict::kVerified);
  EXPECT_EQ(verify_official(bytes).verdict, ReplayVerdict::kBadSignature);
  Forgery forgery(bytes);
  forgery.header().mutable_creator()->set_name("studio");
  forgery.make_consistent();
  EXPECT_EQ(verify_official(forgery.bytes()).verdict, ReplayVerdict::kMalformed);
}

TEST_F(Attack, ANamesakeOfAnotherTenantIsAStranger) {
  Play eves;
  eves.creation.creator.tenant = "eve";
  EXPECT_EQ(verify_official(play(eves, &key_).bytes).verdict, ReplayVerdict::kBadSignature);
  VerificationOptions options{.public_key = key_.public_key()};
  options.creator = {"studio", "", "eve"};
  EXPECT_EQ(verify(play(eves, &key_).bytes, options).verdict, ReplayVerdict::kVerified);
  options.creator = {"studio", "https://other.example", "eve"};
  EXPECT_EQ(verify(play(eves, &key_).bytes, options).verdict, ReplayVerdict::kBadSignature);
}

TEST_F(Attack, ARulesDigestThatIsNotOfTheConfigIsNone) {
  Forgery forgery(play({}, nullptr).bytes);
  forgery.header().set_rules_digest(sha256({"official"}));
  forgery.make_consistent();
  const Verification result = verify(forgery.bytes());
  EXPECT_EQ(result.verdict, ReplayVerdict::kMalformed);
  EXPECT_THAT(result.what, HasSubstr("the digest of the config's rules is "));
}

}  // namespace
}  // namespace sweepd::replay::attack_test
