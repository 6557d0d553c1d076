// SPDX-License-Identifier: MIT
//
// Protects what becomes of a match that is over: one replay, whole and signed, or the part that there is
// without a receipt; and a match that still runs can be had up to its last tick, however its ticks are packed
// meanwhile.
#include "runtime/replays/archivist.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>

#include "replay/reader.h"
#include "replay/verification.h"
#include "runtime/journal/recovery.h"
#include "unit/runtime/journal/disk_faults.h"
#include "unit/runtime/journal/played_match.h"
#include "unit/runtime/temporary_folder.h"

namespace sweepd::runtime::archivist_test {
namespace {

using replay::ReplayVerdict;
using std::chrono::milliseconds;
using ::testing::Contains;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

class Archivists : public ::testing::Test {
 protected:
  void TearDown() override {
    if (journal_) journal_->stop();
  }

  void start(std::chrono::seconds compaction_interval, std::size_t queue_bytes_max = std::size_t{64} << 20) {
    replays_ = std::move(ReplayStore::open(folder_.path() / "replays", {}).value());
    journal_ = std::make_unique<SqliteJournal>(
        std::make_unique<JournalStore>(path_, JournalSync::kProcess),
        SqliteJournalOptions{.flush = milliseconds(1),
                             .queue_bytes_max = queue_bytes_max,
                             .on_ended = [this](JournalKey match) { archivist_->match_ended(match); }});
    archivist_ = std::make_unique<Archivist>(*journal_, *replays_, key_,
                                             ArchivistOptions{.journal_path = path_,
                                                              .compaction_interval = compaction_interval,
                                                              .patience = std::chrono::minutes(2),
                                                              .on_trouble = [this](const std::string& what) {
                                                                const std::lock_guard lock(mutex_);
                                                                trouble_.push_back(what);
                                                              }});
  }

  ReplayLibrary::Opened open(JournalKey key, std::optional<ReplayPoint> running = {}) {
    std::promise<ReplayLibrary::Opened> opened;
    archivist_->open(PlayedMatch::id_of(key), std::move(running),
                     [&opened](ReplayLibrary::Opened found) { opened.set_value(std::move(found)); });
    return opened.get_future().get();
  }

  static ReplayPoint point_of(const PlayedMatch& match, MatchLog& log) {
    EXPECT_FALSE(match.match().ended());
    return {log.ending(replay::EndReason::kStillRunning), log.position(), !log.has_lost_ticks()};
  }

  std::string bytes_of(const ReplayLibrary::Opened& opened) {
    if (!opened.ok()) return opened.error().what;
    return (*opened)->read(0, (*opened)->size()).value();
  }

  std::vector<std::string> trouble() {
    const std::lock_guard lock(mutex_);
    return trouble_;
  }

  static void expect_ticks(const std::string& bytes, const PlayedMatch& match, match::Tick last) {
    const auto reader = replay::Reader::open(bytes);
    ASSERT_TRUE(reader.ok());
    match::Tick tick = 0;
    for (std::size_t i = 0; i < reader->chunks().size(); ++i) {
      const auto records = reader->read_chunk(i);
      ASSERT_TRUE(records.ok());
      for (const auto& record : *records) ASSERT_EQ(record.digest, match.digest(++tick));
    }
    EXPECT_EQ(tick, last);
    EXPECT_EQ(reader->key_frames().size(), last / kKeyFrameTicks);
  }

  TemporaryFolder folder_;
  const fs::path path_ = folder_.path() / "journal.db";
  const replay::SigningKey key_ = replay::SigningKey::generate();
  std::mutex mutex_;
  std::vector<std::string> trouble_;
  std::unique_ptr<ReplayStore> replays_;
  std::unique_ptr<SqliteJournal> journal_;
  std::unique_ptr<Archivist> archivist_;
};

TEST_F(Archivists, WriteTheReplayOfAMatchThatIsOverAndSignIt) {
  start(std::chrono::seconds(20));
  PlayedMatch match(*journal_, 1, 1, 1'300);
  while (!match.match().ended()) match.play_tick();
  const std::string bytes = bytes_of(open(1));
  const auto found = replay::verify(bytes, {.public_key = key_.public_key(), .nonce = "nonce"});
  EXPECT_EQ(found.verdict, ReplayVerdict::kVerified) << found.what;
  EXPECT_EQ(found.signature, replay::SignatureState::kGood);
  EXPECT_EQ(found.digest, match.match().digest());
  expect_ticks(bytes, match, match.match().tick());
  std::vector<JournalKey> left;
  journal_->with_store([&](JournalStore& store) { left = store.matches(); });
  EXPECT_TRUE(left.empty());
  EXPECT_TRUE(trouble().empty()) << trouble().front();
}

TEST_F(Archivists, KnowNothingOfAMatchThatNeverWas) {
  start(std::chrono::seconds(20));
  const auto opened = open(20);
  ASSERT_FALSE(opened.ok());
  EXPECT_EQ(opened.error().kind, ReplayErrorKind::kNotFound);
}

TEST_F(Archivists, SayThatThereIsNoReplayBeforeTheFirstTick) {
  start(std::chrono::seconds(20));
  PlayedMatch match(*journal_, 1, 1, 10);
  const auto opened = open(1, point_of(match, match.log()));
  ASSERT_FALSE(opened.ok());
  EXPECT_EQ(opened.error().kind, ReplayErrorKind::kNoTicks);
  EXPECT_THAT(opened.error().what, HasSubstr("has not run a tick yet"));
}

TEST_F(Archivists, HandOutAMatchThatRunsUnsignedAndTheSameHoweverItIsPacked) {
  start(std::chrono::seconds(0));  // All the time.
  PlayedMatch match(*journal_, 1, 2, 2'600);
  for (const match::Tick last : {1u, 50u, 700u, 1'200u, 1'201u, 2'500u}) {
    match.play(last);
    const std::string bytes = bytes_of(open(1, point_of(match, match.log())));
    const auto found = replay::verify(bytes);
    ASSERT_EQ(found.verdict, ReplayVerdict::kVerified) << found.what << " at " << last;
    EXPECT_EQ(found.signature, replay::SignatureState::kNone);
    expect_ticks(bytes, match, last);
    // Until all of it is packed, and then once more.
    bool is_packed = false;
    while (!is_packed) {
      journal_->with_store([&](JournalStore& store) { is_packed = store.commits()->is_empty(); });
      std::this_thread::sleep_for(milliseconds(1));
    }
    expect_ticks(bytes_of(open(1, point_of(match, match.log()))), match, last);
  }
  while (!match.match().ended()) match.play_tick();
  const auto found = replay::verify(bytes_of(open(1)), {.public_key = key_.public_key()});
  EXPECT_EQ(found.verdict, ReplayVerdict::kVerified) << found.what;
  EXPECT_TRUE(trouble().empty()) << trouble().front();
}

TEST_F(Archivists, HandOutTheReplayUpToThePointThatWasAskedForAndNoFurther) {
  start(std::chrono::seconds(0));
  PlayedMatch match(*journal_, 1, 2, 2'600);
  match.play(100);
  const ReplayPoint point = point_of(match, match.log());
  match.play(1'500);
  (void)open(1, point_of(match, match.log()));
  expect_ticks(bytes_of(open(1, point)), match, 100);
}

TEST_F(Archivists, WriteThePartBeforeAHoleWithoutAReceipt) {
  DiskFaults faults;
  start(std::chrono::seconds(20), 100'000);
  PlayedMatch match(*journal_, 1, 1, 3'000);
  match.play(40);
  while (match.log().durable_tick() < 40) std::this_thread::yield();
  faults.fail(ENOSPC);
  while (!match.log().has_lost_ticks()) match.play_tick();
  const auto running = open(1, point_of(match, match.log()));
  ASSERT_FALSE(running.ok());
  EXPECT_EQ(running.error().kind, ReplayErrorKind::kLost);
  faults.fail(0);
  while (match.log().position() == 0) {
    std::this_thread::sleep_for(milliseconds(1));
    match.play_tick();
  }
  while (!match.match().ended()) {
    if (match.match().tick() % 20 == 0) std::this_thread::sleep_for(milliseconds(1));
    match.play_tick();
  }
  const std::string bytes = bytes_of(open(1));
  const auto reader = replay::Reader::open(bytes);
  ASSERT_TRUE(reader.ok()) << bytes.substr(0, 200);
  ASSERT_TRUE(reader->footer());
  EXPECT_EQ(reader->footer()->ending.reason, replay::EndReason::kCut);
  EXPECT_FALSE(reader->footer()->receipt);
  EXPECT_GE(reader->tick_count(), 40u);
  EXPECT_LT(reader->tick_count(), match.match().tick());
  const auto found = replay::verify(bytes);
  EXPECT_EQ(found.verdict, ReplayVerdict::kVerified) << found.what;
  EXPECT_THAT(trouble(), Contains(HasSubstr("the replay ends there, without a receipt")));
}

TEST_F(Archivists, TryAgainWhatTheDiskDidNotTake) {
  start(std::chrono::seconds(0));
  const fs::path replays = folder_.path() / "replays";
  fs::rename(replays, folder_.path() / "gone");
  PlayedMatch match(*journal_, 1, 1, 50);
  while (!match.match().ended()) match.play_tick();
  while (journal_->durable_position() < match.log().position()) std::this_thread::yield();
  const auto failed = open(1);
  ASSERT_FALSE(failed.ok());
  EXPECT_EQ(failed.error().kind, ReplayErrorKind::kFailing);
  fs::rename(folder_.path() / "gone", replays);
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (!fs::exists(replays / "thetestsmatchnoa.swpr")) {
    ASSERT_LT(std::chrono::steady_clock::now(), end);
    std::this_thread::sleep_for(milliseconds(5));
  }
  EXPECT_EQ(replay::verify(bytes_of(open(1)), {.public_key = key_.public_key()}).verdict,
            ReplayVerdict::kVerified);
}

}  // namespace
}  // namespace sweepd::runtime::archivist_test
