// SPDX-License-Identifier: MIT
//
// Protects who verifies what a client says of its own run: it is played by the rules of its config, each lie
// has its verdict, and no bytes whatsoever do more than be refused.
#include "verification/input_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <string>

#include "verification/input_log_verification.h"

namespace sweepd::verification::input_log_test {
namespace {

using replay::ReplayVerdict;
using replay::Verification;
using ::testing::HasSubstr;

/// Writes a log as the contract has it.
class LogBytes {
 public:
  LogBytes() : bytes_(std::string(kInputLogMagic) + std::string("\x01\0\0\0", 4)) {}

  LogBytes& add(const v1::InputLogRecord& record) {
    std::string length;
    for (std::uint64_t rest = record.ByteSizeLong();; rest >>= 7) {
      length += static_cast<char>((rest & 0x7f) | (rest >= 0x80 ? 0x80 : 0));
      if (rest < 0x80) break;
    }
    bytes_ += length + record.SerializeAsString();
    return *this;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

/// printf nonce | sha256sum: 78377b525757b494...
constexpr std::uint64_t kSeedOfNonce = 0x94b45757527b3778;

/// A player flies into an enemy that stands there; 10 points for that.
v1::InputLogRecord header() {
  v1::InputLogRecord record;
  v1::MatchConfig& config = *record.mutable_header()->mutable_config();
  config.add_layers("player");
  config.add_layers("enemy");
  v1::CollidingLayers& pair = *config.add_collides();
  pair.set_layer_a("player");
  pair.set_layer_b("enemy");
  v1::ScoringRule& rule = *config.add_scoring();
  rule.set_layer_a("player");
  rule.set_layer_b("enemy");
  rule.set_points(10);
  record.mutable_header()->set_nonce("nonce");
  config.set_seed(kSeedOfNonce);
  return record;
}

void add_spawn(v1::Frame& frame, std::uint32_t id, int x, std::uint32_t layer) {
  v1::Spawn& spawn = *frame.add_spawns();
  spawn.set_object_id(id);
  spawn.set_x(x);
  v1::Part& part = *spawn.add_parts();
  part.set_layer(layer);
  part.mutable_box()->set_max_x(10);
  part.mutable_box()->set_max_y(10);
}

v1::InputLogRecord opening() {
  v1::InputLogRecord record;
  record.mutable_tick()->set_tick(1);
  v1::InputLogInput& join = *record.mutable_tick()->add_inputs();
  join.mutable_join()->set_name("ann");
  join.mutable_join()->set_role(v1::ROLE_PLAYER);
  v1::Frame& frame = *record.mutable_tick()->add_inputs()->mutable_frame();
  add_spawn(frame, 1, 0, 0);
  return record;
}

v1::InputLogRecord collision() {
  v1::InputLogRecord record;
  record.mutable_tick()->set_tick(5);
  v1::Frame& frame = *record.mutable_tick()->add_inputs()->mutable_frame();
  add_spawn(frame, 2, 100, 1);
  // Relative to where its spawn said that it is.
  frame.mutable_moves()->add_id_delta(1);
  frame.mutable_moves()->add_dx(95);
  frame.mutable_moves()->add_dy(0);
  return record;
}

v1::InputLogRecord end(std::int64_t score = 10, std::uint64_t ticks = 20) {
  v1::InputLogRecord record;
  record.mutable_end()->set_tick_count(ticks);
  v1::Score& claim = *record.mutable_end()->add_claimed_scores();
  claim.set_name("ann");
  claim.set_score(score);
  return record;
}

LogBytes honest() { return LogBytes().add(header()).add(opening()).add(collision()).add(end()); }

Verification verify(const LogBytes& log, const replay::VerificationOptions& options = {}) {
  return verify_any(log.bytes(), options);
}

TEST(InputLog, IsPlayedByTheRulesOfItsConfig) {
  const Verification result = verify(honest());
  EXPECT_EQ(result.verdict, ReplayVerdict::kVerified) << result.what;
  EXPECT_EQ(result.ticks_played, 20u);
  EXPECT_NE(result.digest, 0u);
  ASSERT_EQ(result.scores.size(), 1u);
  EXPECT_EQ(result.scores[0].name, "ann");
  EXPECT_EQ(result.scores[0].score, 10);
  EXPECT_EQ(result.signature, replay::SignatureState::kNone);
}

TEST(InputLog, ThatBoastsIsFoundOut) {
  const Verification result = verify(LogBytes().add(header()).add(opening()).add(collision()).add(end(11)));
  EXPECT_EQ(result.verdict, ReplayVerdict::kScoreMismatch);
  EXPECT_THAT(result.what, HasSubstr("\"ann\" claims 11, and has 10"));
  EXPECT_EQ(result.scores[0].score, 10);
  replay::VerificationOptions options;
  options.claimed_scores = {{0, "ann", 12, false}};
  EXPECT_THAT(verify(honest(), options).what, HasSubstr("\"ann\" claims 12, and has 10"));
  options.claimed_scores = {{0, "bob", 10, false}};
  EXPECT_EQ(verify(honest(), options).verdict, ReplayVerdict::kScoreMismatch);
}

TEST(InputLog, IsComparedWithTheDigestThatItClaims) {
  v1::InputLogRecord last = end();
  last.mutable_end()->set_final_digest(verify(honest()).digest);
  const LogBytes body = LogBytes().add(header()).add(opening()).add(collision());
  EXPECT_EQ(verify(LogBytes(body).add(last)).verdict, ReplayVerdict::kVerified);
  last.mutable_end()->set_final_digest(1);
  const Verification result = verify(LogBytes(body).add(last));
  EXPECT_EQ(result.verdict, ReplayVerdict::kDiverged);
  EXPECT_EQ(result.diverging_tick, 20u);
  EXPECT_EQ(result.scores[0].score, 10);
}

TEST(InputLog, MayHaveEndedItsMatch) {
  v1::InputLogRecord last = end();
  last.mutable_end()->set_match_ended(true);
  const Verification ended = verify(LogBytes().add(header()).add(opening()).add(collision()).add(last));
  EXPECT_EQ(ended.verdict, ReplayVerdict::kVerified) << ended.what;
  EXPECT_EQ(ended.ticks_played, 20u);
  EXPECT_NE(ended.digest, verify(honest()).digest);
}

TEST(InputLog, HasOnlyWhatCouldHaveHappened) {
  const auto verdict_of = [](const std::function<void(v1::InputLogTick&)>& add) {
    v1::InputLogRecord record;
    record.mutable_tick()->set_tick(7);
    add(*record.mutable_tick());
    const Verification result =
        verify(LogBytes().add(header()).add(opening()).add(collision()).add(record).add(end()));
    EXPECT_EQ(result.diverging_tick, 7u) << result.what;
    EXPECT_EQ(result.ticks_played, 6u);
    EXPECT_EQ(result.scores.at(0).score, 10);  // Of what could be played.
    return result.verdict;
  };
  EXPECT_EQ(verdict_of([](auto& tick) { tick.add_inputs()->mutable_join()->set_name("no role"); }),
            ReplayVerdict::kDiverged);
  EXPECT_EQ(verdict_of([](auto& tick) {
              tick.add_inputs()->mutable_join()->set_name("ann");  // Is there.
              tick.mutable_inputs(0)->mutable_join()->set_role(v1::ROLE_PLAYER);
              tick.mutable_inputs(0)->set_participant(1);
            }),
            ReplayVerdict::kDiverged);
  EXPECT_EQ(verdict_of([](auto& tick) {
              tick.add_inputs()->mutable_join()->set_name("bob");
              tick.mutable_inputs(0)->mutable_join()->set_role(v1::ROLE_PLAYER);
              tick.mutable_inputs(0)->set_participant(5);  // It is 1 that is free.
            }),
            ReplayVerdict::kDiverged);
  EXPECT_EQ(verdict_of([](auto& tick) {
              tick.add_inputs()->mutable_leave();
              tick.mutable_inputs(0)->set_participant(3);
            }),
            ReplayVerdict::kDiverged);
  EXPECT_EQ(verdict_of([](auto& tick) {
              tick.add_inputs()->mutable_frame();
              tick.mutable_inputs(0)->set_participant(3);
            }),
            ReplayVerdict::kDiverged);
  EXPECT_EQ(verdict_of([](auto& tick) { tick.add_inputs()->mutable_frame()->set_tick(100'000); }),
            ReplayVerdict::kDiverged);  // So far ahead no frame may be.
}

TEST(InputLog, NamesWhatCannotBeRead) {
  const auto fault_of = [](const LogBytes& log) {
    const Verification result = verify(log);
    EXPECT_EQ(result.verdict, ReplayVerdict::kMalformed);
    EXPECT_TRUE(result.fault.has_value());
    return result.what;
  };
  v1::InputLogRecord bad = header();
  bad.mutable_header()->mutable_config()->set_history_ticks(99'999);
  EXPECT_THAT(fault_of(LogBytes().add(bad).add(end(0, 0))), HasSubstr("config.history_ticks"));
  bad = header();
  bad.mutable_header()->set_nonce(std::string(65, 'n'));
  EXPECT_THAT(fault_of(LogBytes().add(bad).add(end(0, 0))), HasSubstr("nonce has 65 bytes"));
  EXPECT_THAT(fault_of(LogBytes().add(opening()).add(end())), HasSubstr("first record"));
  EXPECT_THAT(fault_of(LogBytes().add(header()).add(header()).add(end())), HasSubstr("first record"));
  EXPECT_THAT(fault_of(LogBytes().add(header()).add(collision()).add(opening()).add(end())),
              HasSubstr("tick 1, and comes after tick 5"));
  EXPECT_THAT(fault_of(LogBytes().add(header()).add(opening())), HasSubstr("without an end record"));
  EXPECT_THAT(fault_of(honest().add(end())), HasSubstr("something follows it"));
  EXPECT_THAT(fault_of(LogBytes().add(header()).add(opening()).add(end(0, 0))),
              HasSubstr("tick_count is 0; there are inputs for tick 1"));
  EXPECT_THAT(fault_of(LogBytes().add(header()).add(end(0, (1u << 20) + 1))),
              HasSubstr("at most 1048576 are allowed"));
  bad = opening();
  bad.mutable_tick()->set_tick((1u << 20) + 1);
  EXPECT_THAT(fault_of(LogBytes().add(header()).add(bad).add(end())), HasSubstr("at most 1048576"));
  bad = end();
  for (int i = 0; i < 4096; ++i) bad.mutable_end()->add_claimed_scores()->set_name("bob");
  EXPECT_THAT(fault_of(LogBytes().add(header()).add(bad)), HasSubstr("claimed_scores has 4097"));
  bad = collision();
  bad.mutable_tick()->mutable_inputs(0)->mutable_frame()->mutable_moves()->add_dx(1);
  EXPECT_THAT(fault_of(LogBytes().add(header()).add(opening()).add(bad).add(end())),
              HasSubstr("tick 5: a frame of participant 0: moves.dx"));
  bad = opening();
  bad.mutable_tick()->add_inputs();
  EXPECT_THAT(fault_of(LogBytes().add(header()).add(bad).add(end())), HasSubstr("none that is known"));
  v1::InputLogRecord large = opening();
  large.mutable_tick()->mutable_inputs(0)->mutable_join()->set_name(std::string(1 << 20, 'n'));
  EXPECT_THAT(fault_of(LogBytes().add(header()).add(large).add(end())), HasSubstr("more than 1048576 bytes"));
}

TEST(InputLog, OfANewerVersionIsRefusedAsThat) {
  std::string bytes = honest().bytes();
  bytes[8] = 2;
  EXPECT_EQ(verify_any(bytes).verdict, ReplayVerdict::kUnsupportedVersion);
  EXPECT_THAT(verify_any(bytes).what, HasSubstr("take a newer one"));
}

TEST(InputLog, IsHeldToTheNonceThatWasGivenOut) {
  replay::VerificationOptions options;
  options.nonce = "nonce";
  EXPECT_EQ(verify(honest(), options).verdict, ReplayVerdict::kVerified);
  options.nonce = "another";
  const Verification result = verify(honest(), options);
  EXPECT_EQ(result.verdict, ReplayVerdict::kDiverged);
  EXPECT_EQ(result.diverging_tick, 0u);
  EXPECT_EQ(result.scores.at(0).score, 10);
}

TEST(InputLog, HasTheSeedOfItsNonceOrCannotBeRead) {
  for (const std::uint64_t seed : {std::uint64_t{0}, kSeedOfNonce + 1}) {
    v1::InputLogRecord first = header();
    first.mutable_header()->mutable_config()->set_seed(seed);
    const Verification result = verify(LogBytes().add(first).add(opening()).add(collision()).add(end()));
    EXPECT_EQ(result.verdict, ReplayVerdict::kMalformed);
    EXPECT_THAT(result.what, HasSubstr("config.seed: is " + std::to_string(seed) +
                                       "; with this nonce it has to be " + std::to_string(kSeedOfNonce)));
    first.mutable_header()->clear_nonce();  // Then it may have any.
    EXPECT_EQ(verify(LogBytes().add(first).add(opening()).add(collision()).add(end())).verdict,
              ReplayVerdict::kVerified);
  }
}

TEST(InputLog, ThatIsBrokenIsToldBeforeADivergenceThatComesBefore) {
  v1::InputLogRecord foreign;  // Nobody has that seat.
  foreign.mutable_tick()->set_tick(7);
  foreign.mutable_tick()->add_inputs()->mutable_leave();
  foreign.mutable_tick()->mutable_inputs(0)->set_participant(3);
  v1::InputLogRecord good;
  good.mutable_tick()->set_tick(9);
  v1::Frame& frame = *good.mutable_tick()->add_inputs()->mutable_frame();
  frame.mutable_moves()->add_id_delta(1);  // Builds on what the frames before said.
  frame.mutable_moves()->add_dx(5);
  frame.mutable_moves()->add_dy(0);
  v1::InputLogRecord broken = good;
  broken.mutable_tick()->mutable_inputs(0)->mutable_frame()->mutable_moves()->add_dx(1);
  v1::InputLogRecord unknown = good;
  unknown.mutable_tick()->add_inputs();
  const LogBytes body = LogBytes().add(header()).add(opening()).add(collision()).add(foreign);
  const Verification diverged = verify(LogBytes(body).add(good).add(end()));
  EXPECT_EQ(diverged.verdict, ReplayVerdict::kDiverged) << diverged.what;
  EXPECT_EQ(diverged.diverging_tick, 7u);
  for (const v1::InputLogRecord& record : {broken, unknown}) {
    const Verification result = verify(LogBytes(body).add(record).add(end()));
    EXPECT_EQ(result.verdict, ReplayVerdict::kMalformed) << result.what;
    EXPECT_EQ(result.diverging_tick, 0u);
    ASSERT_TRUE(result.fault);
    EXPECT_EQ(result.fault->tick, 9u);
    EXPECT_EQ(result.fault->offset, body.bytes().size());
    EXPECT_EQ(result.ticks_played, 6u);
    EXPECT_EQ(result.scores.at(0).score, 10);
  }
  replay::VerificationOptions options;
  options.nonce = "another";
  const LogBytes other = LogBytes().add(header()).add(opening()).add(collision());
  EXPECT_EQ(verify(LogBytes(other).add(good).add(end()), options).verdict, ReplayVerdict::kDiverged);
  EXPECT_EQ(verify(LogBytes(other).add(broken).add(end()), options).verdict, ReplayVerdict::kMalformed);
}

TEST(InputLog, HasNoReceiptOfAnybody) {
  replay::VerificationOptions options;
  options.public_key.emplace();
  EXPECT_EQ(verify(honest(), options).verdict, ReplayVerdict::kBadSignature);
}

TEST(InputLog, IsGivenUpBetweenTwoTicks) {
  int asked = 0;
  replay::VerificationOptions options;
  options.is_cancelled = [&asked] { return ++asked == 4; };
  EXPECT_EQ(verify(LogBytes().add(header()).add(end(0, 1u << 20)), options).ticks_played, 3u);
}

TEST(InputLog, CutOffAnywhereIsRefused) {
  const std::string bytes = honest().bytes();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const Verification result = verify_any(std::string_view(bytes).substr(0, size));
    EXPECT_EQ(result.verdict, ReplayVerdict::kMalformed) << size;
    EXPECT_FALSE(result.what.empty()) << size;
  }
}

TEST(InputLog, WithAnyBitTurnedIsReadOrRefused) {
  const std::string bytes = honest().bytes();
  int verified = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string changed = bytes;
      changed[i] = static_cast<char>(changed[i] ^ 1 << bit);
      replay::VerificationOptions options;  // A turned bit may ask for a million ticks.
      int ticks = 0;
      options.is_cancelled = [&ticks] { return ++ticks > 200; };
      const Verification result = verify_any(changed, options);
      const bool is_verified = result.verdict == ReplayVerdict::kVerified;
      verified += is_verified ? 1 : 0;
      EXPECT_EQ(is_verified, result.what.empty()) << i << " " << bit;
    }
  }
  // Most bits mean something.
  EXPECT_LT(verified, static_cast<int>(bytes.size()) * 4);
}

}  // namespace
}  // namespace sweepd::verification::input_log_test
