// SPDX-License-Identifier: MIT
//
// Protects what comes back after a crash: every match at its last tick with its digest, or, where the journal
// is damaged, at an earlier one, and never without a word.
#include "runtime/journal/recovery.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <thread>

#include "runtime/journal/sqlite_journal.h"
#include "runtime/journal/storage.h"
#include "unit/runtime/journal/played_match.h"
#include "unit/runtime/temporary_folder.h"

namespace sweepd::runtime::recovery_test {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
namespace fs = std::filesystem;

class Recoveries : public ::testing::Test {
 protected:
  void write(match::Tick last, JournalKey key = 1, std::uint32_t ticks = 3'000) {
    if (!journal_) open();
    matches_[key] = std::make_unique<PlayedMatch>(*journal_, key, key, ticks);
    matches_[key]->play(last);
  }

  void open() {
    journal_ = std::make_unique<SqliteJournal>(std::make_unique<JournalStore>(path_, JournalSync::kProcess),
                                               SqliteJournalOptions{.flush = std::chrono::milliseconds(1)});
  }

  Recovery recover_all() {
    journal_.reset();
    JournalStore store(path_, JournalSync::kProcess);
    return recover(store, path_);
  }

  void change(const char* sql) {
    journal_.reset();
    Database database(path_, Database::Mode::kReadWrite);
    database.execute(sql);
  }

  void expect_at(const Recovery& recovery, match::Tick tick, JournalKey key = 1) {
    for (const RecoveredMatch& match : recovery.matches) {
      if (match.key != key) continue;
      EXPECT_EQ(match.match->tick(), tick);
      EXPECT_EQ(match.match->digest(), matches_.at(key)->digest(tick));
      EXPECT_EQ(match.origin.id, PlayedMatch::id_of(key));
      return;
    }
    ADD_FAILURE() << "match " << key << " has not come back";
  }

  TemporaryFolder folder_;
  const fs::path path_ = folder_.path() / "journal.db";
  std::unique_ptr<SqliteJournal> journal_;
  std::map<JournalKey, std::unique_ptr<PlayedMatch>> matches_;
};

TEST_F(Recoveries, OfANewJournalBringNothing) {
  open();
  const Recovery recovery = recover_all();
  EXPECT_TRUE(recovery.matches.empty());
  EXPECT_THAT(recovery.damage, IsEmpty());
}

TEST_F(Recoveries, BringEveryMatchBackAtItsLastTickHoweverOften) {
  write(0, 1);
  write(7, 2);
  write(1'500, 3);
  for (int i = 0; i < 3; ++i) {
    const Recovery recovery = recover_all();
    ASSERT_THAT(recovery.damage, IsEmpty());
    ASSERT_EQ(recovery.matches.size(), 3u);
    expect_at(recovery, 0, 1);
    expect_at(recovery, 7, 2);
    expect_at(recovery, 1'500, 3);
  }
}

TEST_F(Recoveries, GoOnFromWhatAMatchThatHasComeBackWrites) {
  write(1'300);
  std::vector<replay::TickRecord> records = recordings::record_random_match(1, 3'000);
  for (match::Tick end : {1'400u, 2'500u}) {
    Recovery recovery = recover_all();
    ASSERT_EQ(recovery.matches.size(), 1u);
    replay::Recorder recorder(std::move(recovery.matches[0].match));
    const match::Match& match = recorder.match();
    open();
    MatchLog log(recorder, {.journal = journal_.get(), .key = 1, .cast = recovery.matches[0].cast});
    EXPECT_EQ(log.durable_tick(), match.tick());
    while (match.tick() < end) {
      recorder.step();
      log.write_tick();
    }
    const std::uint64_t digest = match.digest();
    Recovery next = recover_all();
    ASSERT_THAT(next.damage, IsEmpty());
    EXPECT_EQ(next.matches.at(0).match->tick(), end);
    EXPECT_EQ(next.matches.at(0).match->digest(), digest);
  }
}

TEST_F(Recoveries, KnowWhoHeldSeatsThatAreEmptyAgain) {
  write(50);
  const auto& participants = matches_[1]->log().ending(replay::EndReason::kStillRunning).cast.participants;
  ASSERT_FALSE(participants.empty());
  journal_.reset();
  const replay::SeatHolder holder{participants[0].number, participants[0].name, {"ann@example", "", ""}};
  const replay::SeatHolder stranger{participants[0].number, "of a lost tick", {"eve@example", "", ""}};
  {
    JournalStore store(path_, JournalSync::kProcess);
    auto state = *store.read_match(1)->state;
    state.tick = 49;  // Its seats may have changed since.
    state.holders = {holder, stranger};
    store.write({{1, RecordKind::kState, 49, encode(state)}});
  }
  const Recovery recovery = recover_all();
  ASSERT_EQ(recovery.matches.size(), 1u);
  EXPECT_EQ(recovery.matches[0].cast.holders, std::vector<replay::SeatHolder>{holder});
  EXPECT_EQ(recovery.matches[0].state.holders, std::vector<replay::SeatHolder>{holder});
}

TEST_F(Recoveries, OfAMatchThatHasEndedLeaveItToTheArchivist) {
  write(50, 1, 50);
  ASSERT_TRUE(matches_[1]->match().ended() || matches_[1]->tick_count() == 51);
  while (!matches_[1]->match().ended()) matches_[1]->play_tick();
  const Recovery recovery = recover_all();
  EXPECT_TRUE(recovery.matches.empty());
  EXPECT_EQ(recovery.ended, std::vector<JournalKey>{1});
}

TEST_F(Recoveries, FinishAMatchWhoseLastTickIsThereAndNotItsEnding) {
  write(50, 1, 50);
  while (!matches_[1]->match().ended()) matches_[1]->play_tick();
  journal_.reset();
  {
    JournalStore store(path_, JournalSync::kProcess);
    const auto stored = store.read_match(1);
    ASSERT_TRUE(stored && stored->ending);
  }
  // As if the group with the ending had not been written: the row is what it was before.
  {
    TemporaryFolder other;
    const fs::path path = other.path() / "journal.db";
    JournalStore from(path_, JournalSync::kProcess);
    JournalStore to(path, JournalSync::kProcess);
    const auto stored = from.read_match(1);
    to.write({{1, RecordKind::kCreated, 0, encode(*stored->origin)},
              {1, RecordKind::kState, 0, encode(*stored->state)}});
    const RecentTicks recent(from, ~std::size_t{0}, [](const auto&) { FAIL(); });
    std::vector<JournalRecord> ticks;
    for (const auto& tick : recent.of(1, 1, 1'000))
      ticks.push_back({1, RecordKind::kTick, tick.tick, std::string(tick.bytes)});
    to.write(ticks);
    const Recovery recovery = recover(to, path);
    EXPECT_TRUE(recovery.matches.empty());
    EXPECT_EQ(recovery.ended, std::vector<JournalKey>{1});
    EXPECT_EQ(to.read_match(1)->ending->final_digest, matches_[1]->match().digest());
    EXPECT_EQ(to.read_match(1)->ending->tick_count, matches_[1]->match().tick());
  }
}

TEST_F(Recoveries, UseAnEarlierKeyFrameWhereTheLastIsDamaged) {
  write(2'500);
  change("UPDATE key_frames SET content = zeroblob(100) WHERE tick = 2400");
  const Recovery recovery = recover_all();
  expect_at(recovery, 2'500);
  EXPECT_THAT(recovery.damage,
              Contains(HasSubstr("thetestsmatchnoa: the key frame of tick 2400 is damaged")));
}

TEST_F(Recoveries, RefuseAKeyFrameOfAnotherMatchEvenOfTheSameRules) {
  write(1'250, 1);
  write(1'250, 2);
  change(
      "UPDATE key_frames SET match = 3 WHERE match = 1; UPDATE key_frames SET match = 1 WHERE match = 2;"
      "UPDATE key_frames SET match = 2 WHERE match = 3");
  const Recovery recovery = recover_all();
  expect_at(recovery, 1'250, 1);
  expect_at(recovery, 1'250, 2);
  EXPECT_EQ(recovery.damage.size(), 2u);
}

TEST_F(Recoveries, StopBeforeADamagedSegmentAndSaySo) {
  write(1'100);
  (void)recover_all();  // Packs.
  change("UPDATE segments SET content = zeroblob(length(content))");
  const Recovery recovery = recover_all();
  expect_at(recovery, 0);
  EXPECT_THAT(recovery.damage,
              Contains(HasSubstr("thetestsmatchnoa: ticks 1 to 1100 are lost; it goes on after tick 0")));
}

TEST_F(Recoveries, EndEvenWhereTheEndOfASegmentIsNotWhatItSays) {
  write(1'100);
  (void)recover_all();
  change("UPDATE segments SET last_tick = last_tick + 1000000");
  const Recovery recovery = recover_all();
  expect_at(recovery, 0);
  EXPECT_FALSE(recovery.damage.empty());
}

TEST_F(Recoveries, MissSegmentsThatAreGone) {
  write(1'100);
  (void)recover_all();
  change("DELETE FROM segments");
  const Recovery recovery = recover_all();
  expect_at(recovery, 0);
  EXPECT_THAT(recovery.damage, Contains(HasSubstr("ticks 1 to 1100 are lost")));
}

TEST_F(Recoveries, MissCommitsThatAreGoneAtTheEndToo) {
  write(100);
  change("DELETE FROM commits WHERE id = (SELECT max(id) FROM commits)");
  const Recovery recovery = recover_all();
  EXPECT_LT(recovery.matches.at(0).match->tick(), 100u);
  EXPECT_THAT(recovery.damage, Contains(HasSubstr("are missing")));
}

TEST_F(Recoveries, EndWhereACommitHasANumberOutOfThisWorld) {
  write(100);
  change("UPDATE commits SET id = 4000000000000000000 WHERE id = (SELECT max(id) FROM commits)");
  EXPECT_THAT(recover_all().damage, Contains(HasSubstr("are missing")));
}

TEST_F(Recoveries, MissMatchesThatAreGone) {
  write(100, 1);
  write(100, 2);
  change("DELETE FROM matches WHERE key = 2");
  const Recovery recovery = recover_all();
  expect_at(recovery, 100, 1);
  EXPECT_EQ(recovery.lost_matches, 1u);
  EXPECT_THAT(recovery.damage, Contains(HasSubstr("there are 1 matches where there should be 2")));
  EXPECT_THAT(recover_all().damage, IsEmpty());
}

TEST_F(Recoveries, SayThatNobodyCanComeBackToASeatWhereTheStateIsGone) {
  write(100);
  change("UPDATE matches SET state = NULL");
  const Recovery recovery = recover_all();
  expect_at(recovery, 100);
  EXPECT_THAT(recovery.damage, Contains(HasSubstr("who sat where is damaged")));
}

TEST_F(Recoveries, OfADamagedCommitCostOnlyTheMatchesThatItTouches) {
  write(100, 1);
  journal_.reset();
  change("UPDATE commits SET content = zeroblob(length(content))");
  open();
  write(100, 2);
  const Recovery recovery = recover_all();
  EXPECT_EQ(recovery.matches.size(), 2u);
  expect_at(recovery, 100, 2);
  expect_at(recovery, 0, 1);
  for (const std::string& damage : recovery.damage) EXPECT_THAT(damage, HasSubstr("thetestsmatchnoa"));
  // What was damaged is not found again, and the match can go on from there.
  const Recovery again = recover_all();
  EXPECT_THAT(again.damage, IsEmpty());
  expect_at(again, 0, 1);
}

TEST_F(Recoveries, LoseAMatchWhoseBeginningIsDamagedAndNoOther) {
  write(100, 1);
  write(100, 2);
  change("UPDATE matches SET origin = zeroblob(50) WHERE key = 1");
  const Recovery recovery = recover_all();
  EXPECT_EQ(recovery.lost_matches, 1u);
  EXPECT_EQ(recovery.matches.size(), 1u);
  expect_at(recovery, 100, 2);
}

TEST_F(Recoveries, RefuseAJournalOfANewerSweepd) {
  write(10);
  change("PRAGMA user_version=3");
  try {
    recover_all();
    FAIL();
  } catch (const StorageFailure& failure) {
    EXPECT_FALSE(failure.is_corruption());
    EXPECT_THAT(failure.what(), HasSubstr("newer sweepd (version 3"));
  }
}

TEST_F(Recoveries, PutAsideWhatIsNoDatabaseAndBeginAnew) {
  std::vector<std::string> trouble;
  const fs::path data = folder_.path() / "data";
  fs::create_directory(data);
  std::ofstream(data / "journal.db") << std::string(10'000, 'x');
  auto storage = Storage::open(
      {.directory = data, .on_trouble = [&](const std::string& what) { trouble.push_back(what); }});
  ASSERT_TRUE(storage.ok()) << storage.error();
  EXPECT_THAT(trouble, Contains(HasSubstr("the old one is kept as")));
  EXPECT_TRUE((*storage)->take_matches().empty());
  bool is_kept = false;
  for (const auto& entry : fs::directory_iterator(data)) {
    is_kept = is_kept ||
              (entry.path().string().find("damaged-") != std::string::npos && entry.file_size() == 10'000);
  }
  EXPECT_TRUE(is_kept);
}

TEST_F(Recoveries, OfADamagedJournalGoIntoANewOneAndTheOldOneIsKept) {
  write(1'300, 1);
  write(1'100, 2);
  write(50, 3, 50);
  while (!matches_[3]->match().ended()) matches_[3]->play_tick();
  (void)recover_all();
  change("UPDATE segments SET content = zeroblob(10) WHERE match = 2");
  const fs::path data = folder_.path() / "data";
  fs::create_directory(data);
  fs::copy_file(path_, data / "journal.db");
  for (int start = 0; start < 2; ++start) {
    std::vector<std::string> trouble;
    const auto storage = Storage::open(
        {.directory = data, .on_trouble = [&](const std::string& what) { trouble.push_back(what); }});
    ASSERT_TRUE(storage.ok()) << storage.error();
    Recovery recovery{.matches = (*storage)->take_matches()};
    EXPECT_EQ(recovery.matches.size(), 2u);
    expect_at(recovery, 1'300, 1);
    expect_at(recovery, 0, 2);
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (!fs::exists(data / "replays" / (PlayedMatch::id_of(3) + ".swpr"))) {
      ASSERT_LT(std::chrono::steady_clock::now(), end);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    if (start > 0) {
      EXPECT_THAT(trouble, IsEmpty());
      continue;
    }
    EXPECT_THAT(trouble, Contains(HasSubstr("thetestsmatchnob: ticks 1 to 1100 are lost")));
    EXPECT_THAT(trouble, Contains(HasSubstr("has gone into a new one; the old one is kept as")));
  }
  EXPECT_FALSE(fs::exists(data / "journal.db.fresh"));
}

TEST_F(Recoveries, SayThatTheDatabaseIsNotSoundWhereAnIndexDisagreesWithItsTable) {
  write(1'300, 1);
  (void)recover_all();
  change(
      "PRAGMA writable_schema=ON; UPDATE sqlite_schema SET sql = replace(sql, 'UNIQUE(match, tick)', "
      "'UNIQUE(tick, match)') WHERE name = 'key_frames'");
  const Recovery recovery = recover_all();
  EXPECT_THAT(recovery.damage, Contains(HasSubstr("the database is not sound")));
}

TEST_F(Recoveries, SayWhereTheWriteAheadLogOfADeadServerIsDamaged) {
  // The match's beginning is a transaction of its own: a slow machine writes the rest as one, and damage
  // undoes it.
  for (const match::Tick last : {1u, 600u}) {
    last == 1 ? write(last) : matches_[1]->play(last);
    while (journal_->durable_position() < matches_[1]->log().position()) std::this_thread::yield();
  }
  const fs::path data = folder_.path() / "data";
  fs::create_directory(data);
  // What a server that is killed leaves.
  journal_->with_store([&](JournalStore&) {
    fs::copy_file(path_, data / "journal.db");
    fs::copy_file(path_.string() + "-wal", data / "journal.db-wal");
  });
  std::fstream wal(data / "journal.db-wal", std::ios::in | std::ios::out | std::ios::binary);
  wal.seekp(static_cast<std::streamoff>(fs::file_size(data / "journal.db-wal") / 2));
  wal << "flip";
  wal.close();
  std::vector<std::string> trouble;
  const auto storage = Storage::open(
      {.directory = data, .on_trouble = [&](const std::string& what) { trouble.push_back(what); }});
  ASSERT_TRUE(storage.ok()) << storage.error();
  EXPECT_THAT(trouble, Contains(HasSubstr("its write-ahead log is damaged at byte")));
  const auto matches = (*storage)->take_matches();
  ASSERT_EQ(matches.size(), 1u);
  EXPECT_LT(matches[0].match->tick(), 600u);
  EXPECT_EQ(matches[0].match->digest(), matches_[1]->digest(matches[0].match->tick()));
}

TEST_F(Recoveries, GoOnWhereAServerDiedBetweenTheOldJournalAndTheNewOne) {
  write(100, 1);
  (void)recover_all();
  const fs::path data = folder_.path() / "data";
  fs::create_directory(data);
  fs::copy_file(path_, data / "journal.db.fresh");
  {
    const auto storage = Storage::open({.directory = data});
    ASSERT_TRUE(storage.ok()) << storage.error();
    expect_at(Recovery{.matches = (*storage)->take_matches()}, 100, 1);
  }
  std::ofstream(data / "journal.db.fresh") << "half of one";
  const auto storage = Storage::open({.directory = data});
  ASSERT_TRUE(storage.ok()) << storage.error();
  expect_at(Recovery{.matches = (*storage)->take_matches()}, 100, 1);
  EXPECT_FALSE(fs::exists(data / "journal.db.fresh"));
}

}  // namespace
}  // namespace sweepd::runtime::recovery_test
