// SPDX-License-Identifier: MIT
//
// Protects: a replay file comes back as it was written; whatever is wrong with one is found and named with
// its place; what stands before the fault can still be read.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "recordings/forgery.h"
#include "recordings/random_match.h"
#include "recordings/replay_bytes.h"
#include "replay/config_codec.h"
#include "replay/engine_version.h"
#include "replay/file_format.h"
#include "replay/reader.h"
#include "replay/tick_encoder.h"

namespace sweepd::replay::file_test {
namespace {

using recordings::Forgery;
using recordings::random_replay;
using ::testing::HasSubstr;

constexpr std::uint64_t kSeed = 11;
constexpr std::uint32_t kTicks = 100;  ///< And the end: seven chunks of 16, the last of 5.

const std::string& replay_bytes() {
  static const std::string kBytes =
      random_replay(kSeed, kTicks, {.key_frame_ticks = 32, .has_snapshots = false});
  return kBytes;
}

std::string bytes_of(const std::vector<TickRecord>& records) {
  TickEncoder encoder;
  for (const TickRecord& record : records) encoder.add(record);
  return encoder.take();
}

FileFault fault_of(const std::string& bytes) {
  const auto reader = Reader::open(bytes);
  if (!reader) return reader.error();
  return reader->fault().value_or(FileFault{.what = "no fault"});
}

TEST(ReplayFile, ComesBackAsItWasWritten) {
  const auto reader = Reader::open(replay_bytes());
  ASSERT_TRUE(reader.ok()) << text_of(reader.error());
  ASSERT_FALSE(reader->fault()) << text_of(*reader->fault());
  EXPECT_EQ(reader->head().match_id, "match-of-a-test");
  EXPECT_EQ(reader->head().nonce, "0123456789abcdef");
  EXPECT_EQ(reader->head().engine_version, engine_version());
  EXPECT_EQ(encode_config(reader->config()), encode_config(recordings::random_match_config(kSeed)));
  EXPECT_EQ(reader->tick_count(), kTicks + 1);
  ASSERT_EQ(reader->chunks().size(), 7u);
  std::vector<TickRecord> all;
  for (std::size_t i = 0; i < reader->chunks().size(); ++i) {
    const auto records = reader->read_chunk(i);
    ASSERT_TRUE(records.ok()) << text_of(records.error());
    all.insert(all.end(), records->begin(), records->end());
  }
  const auto original = recordings::record_random_match(kSeed, kTicks);
  EXPECT_EQ(bytes_of(all), bytes_of(original));
  EXPECT_EQ(reader->footer()->ending.final_digest, original.back().digest);
  EXPECT_EQ(reader->footer()->ending.reason, EndReason::kMatchEnded);
  EXPECT_FALSE(reader->footer()->ending.cast.participants.empty());
}

TEST(ReplayFile, LeadsToTheChunkOfATick) {
  const auto reader = Reader::open(replay_bytes());
  ASSERT_TRUE(reader.ok());
  EXPECT_EQ(reader->chunk_of(1), 0u);
  EXPECT_EQ(reader->chunk_of(16), 0u);
  EXPECT_EQ(reader->chunk_of(17), 1u);
  EXPECT_EQ(reader->chunk_of(kTicks + 1), 6u);
}

TEST(ReplayFile, KeepsKeyFramesWithoutKnowingThem) {
  const auto reader = Reader::open(replay_bytes());
  ASSERT_TRUE(reader.ok());
  ASSERT_EQ(reader->key_frames().size(), 3u);
  EXPECT_EQ(reader->key_frames()[1].tick, 64u);
  const auto key_frame = reader->read_key_frame(1);
  ASSERT_TRUE(key_frame.ok());
  EXPECT_EQ(key_frame->tick, 64u);
  EXPECT_EQ(key_frame->version, 7u);
  EXPECT_EQ(key_frame->content, "state 64");
  EXPECT_EQ(key_frame->digest, recordings::record_random_match(kSeed, kTicks)[63].digest);
}

TEST(ReplayFile, ThatIsStillWrittenCanBeReadUpToItsLastWholeChunk) {
  const auto records = recordings::record_random_match(kSeed, 40);
  const auto match = std::move(match::Match::create(recordings::random_match_config(kSeed)).value());
  Writer writer(head_of(*match, "m", "n"), {.ticks_per_chunk = 16});
  for (const TickRecord& record : records) ASSERT_TRUE(writer.add(record));
  const std::string bytes = writer.take_bytes();
  const auto reader = Reader::open(bytes);
  ASSERT_TRUE(reader.ok());
  EXPECT_EQ(reader->tick_count(), 32u);
  ASSERT_TRUE(reader->fault());
  EXPECT_EQ(reader->fault()->kind, FaultKind::kCutOff);
  EXPECT_THAT(text_of(*reader->fault()), HasSubstr("the file ends without a footer"));
  EXPECT_FALSE(reader->footer());
}

TEST(ReplayFile, CutOffAnywhereSaysSoAndKeepsWhatIsBefore) {
  const std::string& whole = replay_bytes();
  for (std::size_t size = 0; size < whole.size(); size += size < 64 ? 1 : 97) {
    const std::string part = whole.substr(0, size);
    const auto reader = Reader::open(part);
    if (!reader) {
      EXPECT_EQ(reader.error().record, "header") << size;
      continue;
    }
    ASSERT_TRUE(reader->fault()) << size;
    EXPECT_FALSE(reader->footer());
    for (std::size_t i = 0; i < reader->chunks().size(); ++i) EXPECT_TRUE(reader->read_chunk(i).ok());
  }
  for (std::size_t missing = 1; missing <= kTrailerBytes; ++missing) {
    const FileFault fault = fault_of(whole.substr(0, whole.size() - missing));
    EXPECT_EQ(fault.record, "footer");
    EXPECT_THAT(fault.what, HasSubstr("bytes come after it; must be 16"));
  }
}

TEST(ReplayFile, OfAnotherKindOrVersionIsRefused) {
  EXPECT_THAT(fault_of("").what, HasSubstr("no replay file"));
  EXPECT_THAT(fault_of("TRACE 1\n").what, HasSubstr("no replay file"));
  std::string newer = replay_bytes();
  newer[kMagic.size()] = static_cast<char>(kFormatVersion + 1);
  EXPECT_EQ(fault_of(newer).kind, FaultKind::kUnsupportedVersion);
  EXPECT_EQ(fault_of(newer).what, "the file is of format version " + std::to_string(kFormatVersion + 1) +
                                      "; this build reads 1 to " + std::to_string(kFormatVersion) +
                                      ": take a newer one");
  Forgery forgery(replay_bytes());
  forgery.header().set_digest_version(match::kDigestVersion + 1);
  forgery.make_consistent();
  EXPECT_EQ(fault_of(forgery.bytes()).kind, FaultKind::kUnsupportedVersion);
}

/// What is said of a file of which one thing is not as it should be, with right sums.
FileFault fault_after(const std::function<void(Forgery&)>& forge, bool is_made_consistent) {
  Forgery forgery(replay_bytes());
  forge(forgery);
  if (is_made_consistent) forgery.make_consistent();
  return fault_of(forgery.bytes());
}

TEST(ReplayFile, OfWhichNothingWasChangedIsTakenApartAndPutTogetherAsItWas) {
  EXPECT_EQ(Forgery(replay_bytes()).bytes(), replay_bytes());
  Forgery forgery(replay_bytes());
  forgery.make_consistent();
  EXPECT_EQ(forgery.bytes(), replay_bytes());
}

TEST(ReplayFile, TellsWhatWasTakenOutPutInOrMoved) {
  const auto drop = [](Forgery& f) { f.records.erase(f.records.begin() + 2); };
  FileFault fault = fault_after(drop, false);
  EXPECT_EQ(fault.record, "key frame 1");
  EXPECT_THAT(fault.what, HasSubstr("does not belong after what stands before it"));
  EXPECT_THAT(fault_after(drop, true).what, HasSubstr("it is of tick 32, and stands after tick 16"));

  const auto swap = [](Forgery& f) { std::swap(f.records[1], f.records[2]); };
  EXPECT_EQ(fault_after(swap, false).record, "chunk 1");
  EXPECT_THAT(fault_after(swap, true).what, HasSubstr("it begins with tick 17; the next is 1"));

  const auto splice = [](Forgery& f) { f.records[4] = Forgery(random_replay(12, kTicks)).records[3]; };
  fault = fault_after(splice, false);
  EXPECT_EQ(fault.record, "chunk 3");
  EXPECT_THAT(fault.what, HasSubstr("does not belong after"));

  const auto drop_last = [](Forgery& f) { f.records.erase(f.records.end() - 2); };
  fault = fault_after(drop_last, false);
  EXPECT_EQ(fault.record, "footer");
  EXPECT_THAT(fault.what, HasSubstr("something before it is missing"));

  const auto other_header = [](Forgery& f) { f.header().set_nonce("another"); };
  fault = fault_after(other_header, false);
  EXPECT_EQ(fault.record, "chunk 1");
}

TEST(ReplayFile, TellsWhatIsWrongWithEachRecord) {
  const auto consistent = [](const std::function<void(Forgery&)>& forge) { return fault_after(forge, true); };
  const auto as_is = [](const std::function<void(Forgery&)>& forge) {
    return fault_after(forge, false).what;
  };
  EXPECT_THAT(as_is([](Forgery& f) { f.header().mutable_config()->push_back('x'); }),
              HasSubstr("config_digest is not that of the config"));
  EXPECT_THAT(consistent([](Forgery& f) { f.header().set_config("\x0a"); }).what,
              HasSubstr("config: config 1 bytes"));
  EXPECT_THAT(as_is([](Forgery& f) { f.header().set_nonce(std::string(65, 'n')); }),
              HasSubstr("nonce has 65 bytes; at most 64"));
  EXPECT_THAT(consistent([](Forgery& f) { f.records[1].mutable_chunk()->set_tick_count(0); }).what,
              HasSubstr("it has 0 ticks"));
  EXPECT_THAT(as_is([](Forgery& f) { f.footer().set_tick_count(7); }), HasSubstr("it says 7 ticks"));
  EXPECT_THAT(as_is([](Forgery& f) { f.footer().mutable_chunks(2)->set_offset(3); }), HasSubstr("its index"));
  EXPECT_THAT(as_is([](Forgery& f) { f.footer().clear_key_frames(); }), HasSubstr("its index"));
  EXPECT_THAT(as_is([](Forgery& f) { f.footer().set_end_reason(4); }), HasSubstr("end_reason is 4"));
  EXPECT_THAT(as_is([](Forgery& f) { f.footer().mutable_scores(0)->clear_name(); }),
              HasSubstr("name has 0 bytes"));
  EXPECT_THAT(as_is([](Forgery& f) { f.footer().mutable_participants(0)->set_role(3); }),
              HasSubstr("role is 3"));
  EXPECT_THAT(as_is([](Forgery& f) { f.footer().set_signature("short"); }),
              HasSubstr("public_key has 0 bytes"));
  EXPECT_THAT(as_is([](Forgery& f) {
                for (int i = 0; i < 5'000; ++i) *f.footer().add_scores() = f.footer().scores(0);
              }),
              HasSubstr("scores; at most 4096"));
  EXPECT_THAT(as_is([](Forgery& f) { f.records.insert(f.records.begin() + 1, f.records[0]); }),
              HasSubstr("none that may stand here"));
  EXPECT_THAT(fault_of(replay_bytes() + "x").what, HasSubstr("17 bytes come after it"));
}

TEST(ReplayFile, TellsWhatIsWrongWithinAChunkWhenThatIsRead) {
  const auto fault_of_chunk = [](const std::function<void(v1::Chunk&)>& forge) {
    Forgery forgery(replay_bytes());
    forge(*forgery.records[1].mutable_chunk());
    forgery.make_consistent();
    const std::string bytes = forgery.bytes();
    const auto reader = Reader::open(bytes);
    EXPECT_TRUE(reader.ok());
    const auto records = reader->read_chunk(0);
    return records.ok() ? "no fault" : text_of(records.error());
  };
  EXPECT_THAT(fault_of_chunk([](v1::Chunk& c) { c.set_content("garbage"); }),
              HasSubstr("chunk 1: its content cannot"));
  EXPECT_THAT(fault_of_chunk([](v1::Chunk& c) { c.mutable_content()->push_back('x'); }),
              HasSubstr("cannot be unpacked"));
  EXPECT_THAT(fault_of_chunk([](v1::Chunk& c) {
                c.set_content(Forgery(random_replay(12, kTicks)).records[2].chunk().content());
              }),
              HasSubstr("holds the 16 ticks from 17 on, and says 16 from 1"));
}

TEST(ReplayFile, OfNothingButItsHeaderAndFooterIsWhole) {
  const auto match = std::move(match::Match::create(recordings::random_match_config(1)).value());
  Writer writer(head_of(*match, "", ""));
  writer.finish(EndReason::kStillRunning, {}, nullptr);
  const std::string bytes = writer.take_bytes();
  const auto reader = Reader::open(bytes);
  ASSERT_TRUE(reader.ok());
  EXPECT_FALSE(reader->fault());
  EXPECT_EQ(reader->tick_count(), 0u);
}

TEST(ReplayFile, TakesNoTickOrKeyFrameThatNobodyWouldRead) {
  const auto match = std::move(match::Match::create(recordings::random_match_config(1)).value());
  Writer writer(head_of(*match, "m", "n"));
  ASSERT_TRUE(writer.add({.tick = 1, .digest = 5}));
  EXPECT_FALSE(writer.add_key_frame({1, 5, 1, std::string(kContentBytesMax + 1, 'x')}));
  EXPECT_TRUE(writer.add_key_frame({1, 5, 1, "x"}));
  match::Frame frame;
  for (std::uint32_t i = 0; i < kChunkBytesAimed / 10; ++i) {  // Each takes about twelve bytes.
    const auto x = static_cast<std::int32_t>(i * 2'654'435'761u);
    frame.moves.push_back({i % 2 == 0 ? i : ~i, {x, collision::kSubunitsMax}});
  }
  frame.relative_moves = frame.moves.size();
  const Join huge{std::string(kContentBytesMax, 'x'), match::Role::kPlayer, 1};
  EXPECT_FALSE(writer.add({.tick = 2, .digest = 6, .inputs = {Submission{0, std::move(frame)}, huge}}));
  EXPECT_FALSE(writer.add({.tick = 3}));
  const std::string bytes = writer.take_bytes();
  const auto reader = Reader::open(bytes);
  ASSERT_TRUE(reader.ok());
  EXPECT_EQ(reader->tick_count(), 1u);
  EXPECT_EQ(reader->key_frames().size(), 1u);
}

TEST(ReplayFile, ListsWhoPlayedOnceEach) {
  Cast cast;
  TickRecord record;
  record.inputs = {Join{"ann", match::Role::kPlayer, 1}, Join{"eve", match::Role::kObserver, 64},
                   Join{"ann", match::Role::kPlayer, 1}, Join{"ann", match::Role::kStage, 1}};
  cast.note(record.inputs);
  EXPECT_EQ(cast.participants.size(), 2u);
  for (std::size_t i = 0; i < kParticipantsListedMax; ++i) {
    cast.note(Join{"guest " + std::to_string(i), match::Role::kPlayer, 2});
  }
  EXPECT_EQ(cast.participants.size(), kParticipantsListedMax);
  EXPECT_EQ(cast.omitted, 2u);
}

}  // namespace
}  // namespace sweepd::replay::file_test
