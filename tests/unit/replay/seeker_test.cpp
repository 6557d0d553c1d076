// SPDX-License-Identifier: MIT
//
// Protects viewers: whatever tick of a replay is sought, in whatever order, the match is the one that was
// recorded; and a replay opened by its index alone is read like any other, or refused.
#include "replay/seeker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "property/random.h"
#include "recordings/forgery.h"
#include "recordings/random_match.h"
#include "recordings/recorded_tick.h"
#include "recordings/replay_bytes.h"
#include "replay/file_format.h"

namespace sweepd::replay::seeker_test {
namespace {

using recordings::Forgery;
using ::testing::HasSubstr;

constexpr std::uint64_t kSeed = 6;
constexpr std::uint32_t kTicks = 100;

const std::vector<TickRecord>& records() {
  static const auto kRecords = recordings::record_random_match(kSeed, kTicks);
  return kRecords;
}

const std::string& replay_of_match() {
  static const std::string kBytes =
      recordings::write_replay(recordings::random_match_config(kSeed), records(), {.key_frame_ticks = 20});
  return kBytes;
}

std::uint64_t digest_after(const Reader& reader, Tick tick) {
  return tick == 0 ? reader.head().initial_digest : records()[tick - 1].digest;
}

void expect_seeks(const Reader& reader) {
  auto seeker = Seeker::open(reader);
  ASSERT_TRUE(seeker.ok());
  EXPECT_EQ(seeker->match().tick(), 0u);
  property::Random random(1);
  for (int i = 0; i < 300; ++i) {
    const Tick tick = random.index(reader.tick_count() + 1);
    const auto fault = seeker->seek(tick);
    ASSERT_FALSE(fault) << text_of(*fault);
    ASSERT_EQ(seeker->match().tick(), tick);
    ASSERT_EQ(seeker->match().digest(), digest_after(reader, tick));
  }
}

TEST(Seeker, ComesToEveryTickInWhateverOrder) {
  const auto reader = Reader::open(replay_of_match());
  ASSERT_EQ(reader->key_frames().size(), 5u);
  ASSERT_EQ(reader->tick_count(), kTicks + 1) << "with the end, which no key frame follows";
  expect_seeks(*reader);
}

TEST(Seeker, ComesThereByTheIndexAlone) {
  const auto reader = Reader::open_by_index(replay_of_match());
  ASSERT_TRUE(reader.ok());
  EXPECT_EQ(reader->tick_count(), kTicks + 1);
  EXPECT_EQ(reader->footer()->ending.final_digest, records().back().digest);
  expect_seeks(*reader);
}

TEST(Seeker, ComesThereWithoutKeyFramesOfUse) {
  expect_seeks(*Reader::open(recordings::write_replay(recordings::random_match_config(kSeed), records())));
  expect_seeks(*Reader::open(recordings::write_replay(recordings::random_match_config(kSeed), records(),
                                                      {.key_frame_ticks = 20, .has_snapshots = false})));
  Forgery forgery(replay_of_match());
  const auto key_frames = forgery.key_frames();
  forgery.set_content_of_key_frame(key_frames[1], "no snapshot");
  forgery.records[key_frames[2]].mutable_key_frame()->set_content("not packed");
  forgery.set_content_of_key_frame(key_frames[3], forgery.content_of_key_frame(key_frames[0]));
  forgery.make_consistent();
  expect_seeks(*Reader::open(forgery.bytes()));
  expect_seeks(*Reader::open_by_index(forgery.bytes()));
}

TEST(Seeker, LeavesThePastOutThatNobodyStrikesBy) {
  match::MatchConfig config;
  config.layers = {"all"};
  ASSERT_GT(config.history_ticks, 0u);
  Recorder recorder(std::move(match::Match::create(config).value()));
  ASSERT_TRUE(recorder.apply(Join{"ann", match::Role::kPlayer}).ok());
  std::vector<TickRecord> flight;
  for (Tick tick = 1; tick <= 10; ++tick) {
    match::Frame frame;
    if (tick == 1) {
      frame.spawns.push_back({.id = 7, .position = {}, .parts = {collision::Part{}}, .motion = {{5, 0}, {}}});
    }
    ASSERT_FALSE(recorder.apply(Submission{0, std::move(frame)}));
    recorder.step();
    flight.push_back(recordings::take_record(recorder));
  }
  const std::string bytes = recordings::write_replay(config, flight, {.writer = {2}, .key_frame_ticks = 4});
  const auto reader = Reader::open(bytes);
  auto seeker = Seeker::open(*reader);
  ASSERT_FALSE(seeker->seek(9));
  EXPECT_EQ(seeker->match().find_object(7)->position.x, 45);
  EXPECT_EQ(seeker->match().known_ticks().first, 9u);
  ASSERT_FALSE(seeker->seek(6));
  EXPECT_EQ(seeker->match().find_object(7)->position.x, 30);
}

TEST(Seeker, NamesTheTickThatIsNotAsTheReplaySaysAndGoesOnElsewhere) {
  Forgery forgery(replay_of_match());
  const std::size_t chunk = forgery.chunks()[2];
  auto ticks = forgery.ticks_of(chunk);
  ticks[2].digest ^= 1;
  forgery.set_ticks(chunk, ticks);
  forgery.make_consistent();
  const std::string bytes = forgery.bytes();
  const auto reader = Reader::open(bytes);
  auto seeker = Seeker::open(*reader);
  for (int i = 0; i < 2; ++i) {
    const auto fault = seeker->seek(ticks[3].tick);
    ASSERT_TRUE(fault);
    EXPECT_EQ(fault->tick, ticks[2].tick);
    EXPECT_EQ(fault->record, "chunk 3");
    EXPECT_THAT(fault->what, HasSubstr("the digest is"));
    ASSERT_FALSE(seeker->seek(95));
    EXPECT_EQ(seeker->match().digest(), digest_after(*reader, 95));
  }
  ASSERT_FALSE(seeker->seek(ticks[1].tick));
}

TEST(ReaderByIndex, RefusesWhatIsNotWhole) {
  const std::string& whole = replay_of_match();
  for (std::size_t size = 0; size < whole.size(); size += size < 200 ? 1 : 97) {
    EXPECT_FALSE(Reader::open_by_index(whole.substr(0, size)).ok()) << size;
  }
  EXPECT_FALSE(Reader::open_by_index(whole + "x").ok());
  const std::uint64_t footer = Reader::open(whole)->footer_offset();
  for (std::size_t place = footer; place < whole.size(); ++place) {
    std::string damaged = whole;
    damaged[place] ^= 4;
    const auto reader = Reader::open_by_index(damaged);
    ASSERT_FALSE(reader.ok()) << place;
    EXPECT_EQ(reader.error().record, "footer");
  }
  std::string newer = whole;
  newer[8] = static_cast<char>(kFormatVersion + 1);
  EXPECT_EQ(Reader::open_by_index(newer).error().kind, FaultKind::kUnsupportedVersion);
}

TEST(ReaderByIndex, BelievesNoPlace) {
  const Forgery whole(replay_of_match());
  const auto refused = [&](const std::function<void(v1::Footer&)>& edit) {
    Forgery forgery = whole;
    edit(forgery.footer());
    const auto reader = Reader::open_by_index(forgery.bytes());
    return !reader.ok() && reader.error().what.find("its index") != std::string::npos;
  };
  EXPECT_TRUE(refused([](v1::Footer& footer) { footer.mutable_chunks(1)->set_offset(3); }));
  EXPECT_TRUE(refused([](v1::Footer& footer) { footer.mutable_chunks(1)->set_offset(1u << 30); }));
  EXPECT_TRUE(refused([](v1::Footer& footer) { footer.mutable_chunks(1)->set_first_tick(2); }));
  EXPECT_TRUE(refused([](v1::Footer& footer) { footer.mutable_chunks(1)->set_tick_count(0); }));
  EXPECT_TRUE(refused([](v1::Footer& footer) { footer.mutable_key_frames(1)->set_tick(1'000); }));
  EXPECT_TRUE(refused([](v1::Footer& footer) { footer.mutable_key_frames(1)->set_tick(1); }));
  EXPECT_TRUE(refused([](v1::Footer& footer) { footer.set_tick_count(7); }));
}

TEST(ReaderByIndex, FindsNothingWhereNothingIs) {
  Forgery forgery(replay_of_match());
  v1::Footer& footer = forgery.footer();
  footer.mutable_chunks(1)->set_offset(footer.chunks(1).offset() + 1);
  footer.mutable_key_frames(0)->set_offset(footer.chunks(0).offset());
  footer.mutable_key_frames(1)->set_offset(footer.key_frames(2).offset());
  const std::string bytes = forgery.bytes();
  const auto reader = Reader::open_by_index(bytes);
  ASSERT_TRUE(reader.ok());
  EXPECT_THAT(reader->open_chunk(1).error().what, HasSubstr("there is no chunk"));
  EXPECT_THAT(reader->read_key_frame(0).error().what, HasSubstr("there is no key frame"));
  EXPECT_THAT(reader->read_key_frame(1).error().what, HasSubstr("it is of another tick"));
  auto seeker = Seeker::open(*reader);
  EXPECT_EQ(seeker->seek(20)->record, "chunk 2") << "by playing, as the key frames are of no use";
  EXPECT_FALSE(seeker->seek(90));
  EXPECT_EQ(seeker->match().digest(), digest_after(*reader, 90));
}

}  // namespace
}  // namespace sweepd::replay::seeker_test
