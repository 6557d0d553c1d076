// SPDX-License-Identifier: MIT
//
// Protects: two replays that part are told by the first tick and object that differ; a part of a replay is a
// replay.
#include "replay/comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "recordings/forgery.h"
#include "recordings/random_match.h"
#include "recordings/recorded_tick.h"
#include "recordings/replay_bytes.h"
#include "replay/config_codec.h"
#include "replay/cut.h"
#include "replay/reader.h"
#include "replay/record_comparison.h"
#include "replay/verification.h"

namespace sweepd::replay::comparison_test {
namespace {

using ::testing::HasSubstr;

/// Two boxes that fly; the second's place in tick 3 is as given.
std::string flight(std::int32_t x, std::uint32_t ticks = 5, const char* layer = "all") {
  match::MatchConfig config;
  config.layers = {layer};
  Recorder recorder(std::move(match::Match::create(config).value()));
  EXPECT_TRUE(recorder.apply(Join{"ann", match::Role::kPlayer}).ok());
  std::vector<TickRecord> records;
  for (Tick tick = 1; tick <= ticks; ++tick) {
    match::Frame frame;
    if (tick == 1) {
      for (const match::ObjectId id : {7u, 9u}) {
        frame.spawns.push_back(
            {.id = id, .position = {}, .parts = {collision::Part{}}, .motion = {{5, 0}, {}}});
      }
    }
    if (tick == 3) frame.moves.push_back({9, {x, 0}});
    frame.relative_moves = frame.moves.size();
    EXPECT_FALSE(recorder.apply(Submission{0, std::move(frame)}));
    recorder.step();
    records.push_back(recordings::take_record(recorder));
  }
  return recordings::write_replay(config, records, {.writer = {2}});
}

TEST(Comparison, OfEqualMatchesFindsNothing) {
  const auto result = compare(flight(100), flight(100));
  ASSERT_TRUE(result.ok());
  EXPECT_FALSE(result->has_value());
}

TEST(Comparison, NamesTheFirstTickAndObjectThatDiffer) {
  const auto result = compare(flight(100), flight(101));
  ASSERT_TRUE(result.ok() && result->has_value());
  EXPECT_EQ((*result)->tick, 3u);
  EXPECT_EQ((*result)->object, 9u);
  EXPECT_EQ((*result)->what, "object 9 is at (105, 0), and at (106, 0)");
}

TEST(Comparison, TellsWhichIsLongerAndOtherRules) {
  const auto shorter = compare(flight(100, 4), flight(100, 5));
  ASSERT_TRUE(shorter.ok() && shorter->has_value());
  EXPECT_EQ((*shorter)->tick, 5u);
  EXPECT_EQ((*shorter)->what, "the first ends before it");
  const auto rules = compare(flight(100), recordings::random_replay(1, 5));
  ASSERT_TRUE(rules.ok() && rules->has_value());
  EXPECT_EQ((*rules)->tick, 0u);
}

TEST(Comparison, SaysWhichReplayCannotBeRead) {
  const std::string whole = flight(100);
  const auto result = compare(whole, whole.substr(0, whole.size() - 40));
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().replay, 2);
  EXPECT_EQ(compare("nothing", whole).error().replay, 1);
}

using recordings::Forgery;

/// What differs after a change by a forger who knows the format and keeps the receipt as it is.
std::vector<std::string> differences(const std::function<void(Forgery&)>& change) {
  static const SigningKey kKey = SigningKey::generate();
  static const std::string kWhole = recordings::random_replay(3, 80, {.key = &kKey, .key_frame_ticks = 20});
  Forgery forgery(kWhole);
  change(forgery);
  forgery.make_consistent();
  const std::string bytes = forgery.bytes();
  const auto first = Reader::open(kWhole);
  const auto second = Reader::open(bytes);
  EXPECT_FALSE(second->fault()) << text_of(*second->fault());
  const auto ticks = compare(kWhole, bytes);
  EXPECT_TRUE(ticks.ok() && !ticks->has_value()) << "the ticks are the same";
  EXPECT_FALSE(has_wrong_receipt(*first));
  EXPECT_EQ(has_wrong_receipt(*second), bytes != kWhole);
  auto names = compare_statements(*first, *second, false);
  const auto records = compare_records({*first, kWhole}, {*second, bytes});
  EXPECT_TRUE(records.ok());
  names.insert(names.end(), records->begin(), records->end());
  return names;
}

v1::KeyFrame& key_frame_of(Forgery& forgery, std::size_t index) {
  return *forgery.records.at(forgery.key_frames().at(index)).mutable_key_frame();
}

void change_config(Forgery& forgery, const std::function<void(match::MatchConfig&)>& change) {
  match::MatchConfig config = recordings::random_match_config(3);
  change(config);
  forgery.header().set_config(encode_config(config));
}

void change_delay(Forgery& forgery) {
  const std::size_t chunk = forgery.chunks().at(2);  // From tick 21 on.
  auto ticks = forgery.ticks_of(chunk);
  for (TickRecord& tick : ticks) {
    for (Input& input : tick.inputs)
      if (auto* submission = std::get_if<Submission>(&input)) submission->frame.delay_ticks = 200;
  }
  forgery.set_ticks(chunk, ticks);
}

using ::testing::ElementsAre;

TEST(Comparison, OfTheSameTicksNamesWhatTheHeaderSaysOtherwise) {
  EXPECT_THAT(differences([](Forgery&) {}), ElementsAre());
  EXPECT_THAT(differences([](Forgery& f) { f.header().set_engine_version("9.9.9"); }),
              ElementsAre("engine version"));
  EXPECT_THAT(differences([](Forgery& f) { f.header().set_create_time_unix_ms(5); }),
              ElementsAre("time of creation"));
  const auto config = [](const std::function<void(match::MatchConfig&)>& change) {
    return differences([&](Forgery& f) { change_config(f, change); });
  };
  EXPECT_THAT(config([](auto& c) { c.name = "another"; }), ElementsAre("name of the config"));
  EXPECT_THAT(config([](auto& c) { ++c.seed; }), ElementsAre("seed of the config"));
  EXPECT_THAT(config([](auto& c) { c.ruleset.name = "another"; }), ElementsAre("name of the ruleset"));
  EXPECT_THAT(config([](auto& c) { c.ruleset.version = "99"; }), ElementsAre("version of the ruleset"));
}

TEST(Comparison, OfTheSameTicksNamesTheKeyFrameAndTheDelayThatDiffer) {
  EXPECT_THAT(differences([](Forgery& f) { f.set_content_of_key_frame(f.key_frames().at(1), "another"); }),
              ElementsAre("content of the key frame of tick 40"));
  EXPECT_THAT(differences([](Forgery& f) { key_frame_of(f, 2).set_unix_ms(77); }),
              ElementsAre("time of the key frame of tick 60"));
  EXPECT_THAT(differences([](Forgery& f) {
                f.records.erase(f.records.begin() + static_cast<std::ptrdiff_t>(f.key_frames().at(0)));
              }),
              ElementsAre("key frame of tick 20, which is only in the first"));
  EXPECT_THAT(differences(change_delay), ElementsAre(HasSubstr("delay of a frame of tick 2")));
}

TEST(Comparison, OfTheSameTicksNamesWhatTheFooterSaysOtherwise) {
  EXPECT_THAT(differences([](Forgery& f) { f.footer().set_end_unix_ms(99); }), ElementsAre("clock"));
  EXPECT_THAT(differences([](Forgery& f) { f.footer().set_end_reason(2); }), ElementsAre("end"));
  EXPECT_THAT(differences([](Forgery& f) { f.footer().set_statement(f.footer().statement() + "x"); }),
              ElementsAre("receipt"));
}

TEST(Cut, IsAReplayOfTheFirstTicks) {
  const SigningKey key = SigningKey::generate();
  const std::string whole = recordings::random_replay(3, 80, {.key = &key, .key_frame_ticks = 20});
  const auto part = cut(whole, 50);
  ASSERT_TRUE(part.ok());
  const Verification result = verify(*part);
  EXPECT_EQ(result.verdict, ReplayVerdict::kVerified) << result.what;
  EXPECT_EQ(result.ticks_played, 50u);
  EXPECT_EQ(result.signature, SignatureState::kNone);
  EXPECT_EQ(result.digest, recordings::record_random_match(3, 80)[49].digest);
  const auto reader = Reader::open(*part);
  EXPECT_EQ(reader->key_frames().size(), 2u);
  EXPECT_EQ(reader->footer()->ending.reason, EndReason::kCut);
  EXPECT_EQ(reader->head().match_id, "match-of-a-test");
}

TEST(Cut, MakesAReplayWholeAgainThatWasCutOff) {
  const std::string whole = recordings::random_replay(3, 80);
  const std::string torn = whole.substr(0, whole.size() / 2);
  const std::uint64_t ticks = Reader::open(torn)->tick_count();
  ASSERT_GT(ticks, 15u);
  const auto part = cut(torn, ticks);
  ASSERT_TRUE(part.ok());
  EXPECT_EQ(verify(*part).verdict, ReplayVerdict::kVerified);
}

TEST(Cut, RefusesAKeyFrameWhoseDigestIsNotThatOfItsTick) {
  recordings::Forgery forgery(recordings::random_replay(3, 20, {.key_frame_ticks = 5}));
  auto& key_frame = *forgery.records.at(forgery.key_frames().at(1)).mutable_key_frame();
  key_frame.set_digest(key_frame.digest() + 1);
  forgery.make_consistent();
  EXPECT_TRUE(cut(forgery.bytes(), 9).ok()) << "the one before";
  const auto part = cut(forgery.bytes(), 10);
  ASSERT_FALSE(part.ok());
  EXPECT_EQ(part.error().record, "key frame 2");
  EXPECT_EQ(part.error().what, "its digest is not that of its tick");
}

TEST(Cut, TakesNoMoreThanThereIs) {
  const std::string whole = flight(100);
  EXPECT_THAT(cut(whole, 6).error().what, HasSubstr("6 ticks are asked for; must be 1 to 5"));
  EXPECT_FALSE(cut(whole, 0).ok());
  EXPECT_TRUE(cut(whole, 5).ok());
}

}  // namespace
}  // namespace sweepd::replay::comparison_test
