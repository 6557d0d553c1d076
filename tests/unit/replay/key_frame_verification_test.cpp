// SPDX-License-Identifier: MIT
//
// Protects what key frames are for in a verification: the object that is another one is named, by the first
// of them that can be trusted; and none is trusted that says what the match was not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "recordings/forgery.h"
#include "recordings/random_match.h"
#include "recordings/recorded_tick.h"
#include "recordings/replay_bytes.h"
#include "replay/player.h"
#include "replay/verification.h"

namespace sweepd::replay::key_frame_verification_test {
namespace {

using recordings::Forgery;
using ::testing::HasSubstr;

constexpr Tick kTicks = 12;

/// Ann's objects 7 and 9 fly, and 9 is put to `x` in tick 3; a chunk every two ticks and a key frame every
/// four, with a past that is not needed to verify it.
std::string flight(std::int32_t x) {
  match::MatchConfig config;
  config.layers = {"all"};
  Recorder recorder(std::move(match::Match::create(config).value()));
  EXPECT_TRUE(recorder.apply(Join{"ann", match::Role::kPlayer}).ok());
  std::vector<TickRecord> records;
  for (Tick tick = 1; tick <= kTicks; ++tick) {
    match::Frame frame;
    for (const match::ObjectId id : {7u, 9u}) {
      if (tick > 1) break;
      frame.spawns.push_back(
          {.id = id, .position = {}, .parts = {collision::Part{}}, .motion = {{5, 0}, {}}});
    }
    if (tick == 3) frame.moves.push_back({9, {x, 0}});
    frame.relative_moves = frame.moves.size();
    EXPECT_FALSE(recorder.apply(Submission{0, std::move(frame)}));
    recorder.step();
    records.push_back(recordings::take_record(recorder));
  }
  return recordings::write_replay(config, records, {.writer = {2}, .key_frame_ticks = 4});
}

struct KeyFrames : ::testing::Test {
  Verification verified() {
    forgery.make_consistent();
    return verify(forgery.bytes());
  }

  match::Frame& frame_of_tick_3(std::vector<TickRecord>& ticks) {
    return std::get<Submission>(ticks.at(0).inputs.at(0)).frame;
  }

  void edit_tick_3(std::int32_t x) {
    auto ticks = forgery.ticks_of(forgery.chunks()[1]);
    frame_of_tick_3(ticks).moves.at(0).position.x = x;
    forgery.set_ticks(forgery.chunks()[1], ticks);
  }

  v1::KeyFrame& key_frame(std::size_t index) {
    return *forgery.records[forgery.key_frames()[index]].mutable_key_frame();
  }

  Forgery forgery{flight(100)};
  const Forgery other{flight(103)};
};

TEST_F(KeyFrames, OfTheMatchAreVerified) {
  ASSERT_EQ(forgery.key_frames().size(), 3u);
  const Verification result = verify(forgery.bytes());
  EXPECT_EQ(result.verdict, ReplayVerdict::kVerified) << result.what;
  EXPECT_EQ(result.compared_tick, 0u);
  EXPECT_FALSE(result.diverging_object);
}

TEST_F(KeyFrames, WithThePastOfClaimsThatStrikeAreVerified) {
  ASSERT_EQ(recordings::random_match_config(3).claims.policy, match::ClaimPolicy::kEnforce);
  const Verification result = verify(recordings::random_replay(3, 60, {.key_frame_ticks = 7}));
  EXPECT_EQ(result.verdict, ReplayVerdict::kVerified) << result.what;
}

TEST_F(KeyFrames, NameTheObjectThatDiffers) {
  edit_tick_3(108);
  const Verification result = verified();
  EXPECT_EQ(result.verdict, ReplayVerdict::kDiverged);
  EXPECT_EQ(result.diverging_tick, 3u);
  EXPECT_EQ(result.diverging_object, 9u);
  EXPECT_EQ(result.compared_tick, 4u);
  EXPECT_EQ(result.ticks_played, 3u) << "what was played on for the object does not count";
  EXPECT_NE(result.digest, forgery.ticks_of(forgery.chunks()[1])[0].digest);
  EXPECT_THAT(result.what, HasSubstr("tick 3: the digest is "));
  EXPECT_THAT(result.what, HasSubstr("; after tick 4 object 9 is at (118, 0), in the key frame at (110, 0)"));
}

TEST_F(KeyFrames, NameTheObjectThatIsMissing) {
  auto ticks = forgery.ticks_of(forgery.chunks()[0]);
  std::get<Submission>(ticks[0].inputs.at(1))
      .frame.spawns.erase(std::get<Submission>(ticks[0].inputs.at(1)).frame.spawns.begin());
  forgery.set_ticks(forgery.chunks()[0], ticks);
  const Verification result = verified();
  EXPECT_EQ(result.diverging_tick, 1u);
  EXPECT_EQ(result.diverging_object, 7u);
  EXPECT_THAT(result.what, HasSubstr("after tick 4 object 7 is not there, in the key frame it is"));
}

TEST_F(KeyFrames, NameTheObjectWhereWhatCameAfterIsRefused) {
  auto ticks = forgery.ticks_of(forgery.chunks()[0]);
  ticks[0].inputs.at(0) = Join{"ann", match::Role::kObserver, 0};
  forgery.set_ticks(forgery.chunks()[0], ticks);
  const Verification result = verified();
  EXPECT_EQ(result.verdict, ReplayVerdict::kDiverged);
  EXPECT_EQ(result.diverging_tick, 1u);
  EXPECT_EQ(result.diverging_object, 7u) << result.what;
  EXPECT_EQ(result.compared_tick, 4u);
}

TEST_F(KeyFrames, SaySoWhereNoObjectDiffers) {
  auto ticks = forgery.ticks_of(forgery.chunks()[1]);
  ticks[0].digest ^= 1;
  forgery.set_ticks(forgery.chunks()[1], ticks);
  const Verification result = verified();
  EXPECT_EQ(result.verdict, ReplayVerdict::kDiverged);
  EXPECT_EQ(result.diverging_tick, 3u);
  EXPECT_FALSE(result.diverging_object);
  EXPECT_EQ(result.compared_tick, 4u);
  EXPECT_THAT(result.what, HasSubstr("after tick 4 no object differs from the key frame"));
}

TEST_F(KeyFrames, ThatAreForgedAreNoMeasure) {
  edit_tick_3(108);
  const auto key_frames = forgery.key_frames();
  forgery.records[key_frames[0]] = other.records[other.key_frames()[0]];
  forgery.set_content_of_key_frame(key_frames[1], "no snapshot");
  const Verification result = verified();
  EXPECT_EQ(result.diverging_tick, 3u);
  EXPECT_EQ(result.diverging_object, 9u);
  EXPECT_EQ(result.compared_tick, 12u);
}

TEST_F(KeyFrames, ThatDoNotFollowNameNothing) {
  edit_tick_3(108);
  std::erase_if(forgery.records, [](const v1::Record& record) { return record.has_key_frame(); });
  const Verification result = verified();
  EXPECT_EQ(result.diverging_tick, 3u);
  EXPECT_FALSE(result.diverging_object);
  EXPECT_EQ(result.compared_tick, 0u);
}

TEST_F(KeyFrames, OfAnotherMatchAreToldWithTheObject) {
  const std::size_t record = forgery.key_frames()[1];
  forgery.set_content_of_key_frame(record, other.content_of_key_frame(record));
  const Verification result = verified();
  EXPECT_EQ(result.verdict, ReplayVerdict::kDiverged);
  EXPECT_EQ(result.diverging_tick, 8u);
  EXPECT_EQ(result.compared_tick, 8u);
  EXPECT_EQ(result.diverging_object, 9u);
  EXPECT_EQ(result.ticks_played, kTicks) << "the ticks are as they were";
  EXPECT_THAT(result.what, HasSubstr("tick 8: the content of key frame 2 is of another match: world, byte "));
  EXPECT_THAT(result.what, HasSubstr("object 9 is at (130, 0), in the key frame at (133, 0)"));
}

TEST_F(KeyFrames, OfAnotherTickAreTold) {
  forgery.set_content_of_key_frame(forgery.key_frames()[1],
                                   forgery.content_of_key_frame(forgery.key_frames()[0]));
  const Verification result = verified();
  EXPECT_EQ(result.verdict, ReplayVerdict::kDiverged);
  EXPECT_EQ(result.diverging_tick, 8u);
}

TEST_F(KeyFrames, ThatCannotBeReadAreMalformed) {
  const Forgery original = forgery;
  forgery.set_content_of_key_frame(forgery.key_frames()[1], "no snapshot");
  Verification result = verified();
  EXPECT_EQ(result.verdict, ReplayVerdict::kMalformed);
  ASSERT_TRUE(result.fault);
  EXPECT_EQ(result.fault->record, "key frame 2");
  EXPECT_EQ(result.fault->tick, 8u);
  EXPECT_THAT(result.what, HasSubstr("its content: header, byte 4 is no snapshot of a match"));
  EXPECT_EQ(result.ticks_played, kTicks);
  forgery = original;
  key_frame(2).set_content("not packed");
  result = verified();
  EXPECT_EQ(result.verdict, ReplayVerdict::kMalformed);
  EXPECT_EQ(result.fault->record, "key frame 3");
}

TEST_F(KeyFrames, OfAVersionThatIsNotKnownAreLeftAlone) {
  for (std::size_t i = 0; i < 3; ++i) {
    key_frame(i).set_version(match::kSnapshotVersion + 1);
    key_frame(i).set_content("whatever it is");
  }
  EXPECT_EQ(verified().verdict, ReplayVerdict::kVerified);
  key_frame(1).set_digest(2);
  const Verification result = verified();
  EXPECT_EQ(result.verdict, ReplayVerdict::kDiverged);
  EXPECT_THAT(result.what, HasSubstr("tick 8: the digest is "));
  EXPECT_THAT(result.what, HasSubstr(", key frame 2 says 0000000000000002"));
}

TEST_F(KeyFrames, OfTheBeginningAreCompared) {
  forgery.records.insert(forgery.records.begin() + 1, forgery.records[forgery.key_frames()[0]]);
  v1::KeyFrame& first = *forgery.records[1].mutable_key_frame();
  first.set_tick(0);
  EXPECT_EQ(verified().verdict, ReplayVerdict::kDiverged);
  first.set_digest(forgery.header().initial_digest());
  const Verification result = verified();
  EXPECT_EQ(result.verdict, ReplayVerdict::kDiverged);
  EXPECT_EQ(result.diverging_tick, 0u);
  EXPECT_EQ(result.diverging_object, 7u);
}

TEST_F(KeyFrames, OfAnEndedMatchCannotBe) {
  Forgery ended(recordings::random_replay(3, 20, {.key_frame_ticks = 10}));
  const std::size_t first = ended.key_frames()[0];
  v1::Record copy = ended.records[first];
  copy.mutable_key_frame()->set_tick(21);
  copy.mutable_key_frame()->set_digest(ended.footer().final_digest());
  ended.records.insert(ended.records.end() - 1, copy);
  ended.make_consistent();
  const Verification result = verify(ended.bytes());
  EXPECT_EQ(result.verdict, ReplayVerdict::kMalformed);
  EXPECT_THAT(result.what, HasSubstr("it is of a match that has ended"));
}

TEST_F(KeyFrames, NonceOfAnotherRunIsToldBeforeTheFirstTick) {
  EXPECT_EQ(verify(forgery.bytes(), {.nonce = "0123456789abcdef"}).verdict, ReplayVerdict::kVerified);
  const Verification result = verify(forgery.bytes(), {.nonce = "\x01z"});
  EXPECT_EQ(result.verdict, ReplayVerdict::kDiverged);
  EXPECT_EQ(result.diverging_tick, 0u);
  EXPECT_EQ(result.what, "tick 0: the nonce is 30313233343536373839616263646566, 017a was given");
  EXPECT_EQ(result.ticks_played, kTicks) << "the scores are told all the same";
}

}  // namespace
}  // namespace sweepd::replay::key_frame_verification_test
