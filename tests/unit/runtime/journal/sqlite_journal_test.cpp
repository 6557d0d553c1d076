// SPDX-License-Identifier: MIT
//
// Protects the journal's word: what it says is durable is there after a sudden death, a disk that takes
// nothing makes it stand still and say so, and nothing that was durable is lost by that.
#include "runtime/journal/sqlite_journal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "property/random.h"
#include "rounds.h"
#include "runtime/journal/compaction.h"
#include "runtime/journal/recovery.h"
#include "unit/runtime/journal/disk_faults.h"
#include "unit/runtime/journal/played_match.h"
#include "unit/runtime/temporary_folder.h"

namespace sweepd::runtime::sqlite_journal_test {
namespace {

using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::StartsWith;
namespace fs = std::filesystem;

bool eventually(const std::function<bool()>& condition) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(milliseconds(1));
  }
  return true;
}

class SqliteJournals : public ::testing::Test {
 protected:
  void open(std::size_t queue_bytes_max = std::size_t{64} << 20) {
    journal_ = std::make_unique<SqliteJournal>(
        std::make_unique<JournalStore>(path_, JournalSync::kFull),
        SqliteJournalOptions{.flush = milliseconds(1),
                             .queue_bytes_max = queue_bytes_max,
                             .on_health =
                                 [this](const auto& failure) {
                                   const std::lock_guard lock(mutex_);
                                   health_.push_back(failure.value_or("well"));
                                 },
                             .on_ended =
                                 [this](JournalKey key) {
                                   const std::lock_guard lock(mutex_);
                                   ended_.push_back(key);
                                 }});
  }

  Recovery recover_all() {
    journal_.reset();
    JournalStore store(path_, JournalSync::kProcess);
    return recover(store, path_);
  }

  bool is_settled(Journal::Position position) {
    return eventually([&] { return journal_->durable_position() >= position; });
  }

  std::vector<std::string> health() {
    const std::lock_guard lock(mutex_);
    return health_;
  }

  TemporaryFolder folder_;
  const fs::path path_ = folder_.path() / "journal.db";
  std::mutex mutex_;
  std::vector<std::string> health_;
  std::vector<JournalKey> ended_;
  std::unique_ptr<SqliteJournal> journal_;
};

TEST_F(SqliteJournals, MakeWhatIsAppendedDurableInOrderAndInGroups) {
  open();
  PlayedMatch match(*journal_, 1, 1, 200);
  match.play(200);
  const Journal::Position last = match.log().position();
  ASSERT_TRUE(is_settled(last));
  EXPECT_EQ(match.log().durable_tick(), 200u);
  EXPECT_EQ(journal_->queue_bytes(), 0u);
  std::uint64_t commits = 0;
  journal_->with_store([&](JournalStore& store) { commits = store.commits()->last; });
  EXPECT_LT(commits, 200u);
  EXPECT_TRUE(health().empty());
}

TEST_F(SqliteJournals, TellOfMatchesThatHaveEndedWhenThatIsDurable) {
  open();
  PlayedMatch match(*journal_, 9, 1, 20);
  while (!match.match().ended()) match.play_tick();
  EXPECT_TRUE(eventually([this] {
    const std::lock_guard lock(mutex_);
    return !ended_.empty();
  }));
  EXPECT_GE(journal_->durable_position(), match.log().position());
  EXPECT_THAT(ended_, ElementsAre(9u));
}

TEST_F(SqliteJournals, SettleWhoWaitsWhenItsPositionIsDurable) {
  open();
  PlayedMatch match(*journal_, 1, 1, 50);
  match.play(50);
  std::atomic<int> settled = 0;
  Journal::Position durable_then = 0;
  const Journal::Position position = match.log().position();
  journal_->when_settled(position, [&] {
    durable_then = journal_->durable_position();
    ++settled;
  });
  EXPECT_TRUE(eventually([&] { return settled == 1; }));
  EXPECT_GE(durable_then, position);
  journal_->when_settled(position, [&] { ++settled; });  // At once.
  EXPECT_EQ(settled, 2);
}

TEST_F(SqliteJournals, SettleWhoWaitsWhenTheyStopEvenIfItNeverComes) {
  open();
  std::atomic<int> settled = 0;
  journal_->when_settled(1'000, [&] { ++settled; });
  EXPECT_EQ(settled, 0);
  journal_->stop();
  EXPECT_EQ(settled, 1);
}

struct Fault {
  int number;
  const char* kind;
};

TEST_F(SqliteJournals, StandStillWhileTheDiskTakesNothingAndCatchUpAfterwards) {
  DiskFaults faults;
  for (const Fault& fault : {Fault{ENOSPC, "disk full"}, Fault{EFBIG, "disk full"}, Fault{EROFS, "read-only"},
                             Fault{EIO, "i/o error"}}) {
    SCOPED_TRACE(fault.kind);
    fs::remove(path_);
    health_.clear();
    open();
    PlayedMatch match(*journal_, 1, 1, 300);
    match.play(50);
    ASSERT_TRUE(is_settled(match.log().position()));
    faults.fail(fault.number);
    match.play(100);
    ASSERT_TRUE(eventually([&] { return journal_->is_failing(); }));
    std::atomic<bool> is_settled_now = false;
    journal_->when_settled(match.log().position(), [&] { is_settled_now = true; });
    EXPECT_TRUE(is_settled_now);  // A broken disk is not waited for.
    EXPECT_FALSE(journal_->is_crowded());
    EXPECT_EQ(match.log().durable_tick(), 50u);
    std::this_thread::sleep_for(milliseconds(600));  // A few more tries.
    EXPECT_EQ(match.log().durable_tick(), 50u);
    EXPECT_THAT(health(), ElementsAre(StartsWith(fault.kind)));  // Said once.
    faults.fail(0);
    ASSERT_TRUE(is_settled(match.log().position()));
    EXPECT_EQ(match.log().durable_tick(), 100u);
    EXPECT_FALSE(journal_->is_failing());
    EXPECT_EQ(health().back(), "well");
    EXPECT_EQ(health().size(), 2u);
    EXPECT_FALSE(match.log().has_lost_ticks());
    const Recovery recovery = recover_all();
    EXPECT_TRUE(recovery.damage.empty()) << recovery.damage.front();
    ASSERT_EQ(recovery.matches.size(), 1u);
    EXPECT_EQ(recovery.matches[0].match->tick(), 100u);
  }
  EXPECT_GT(faults.writes_failed(), 0);
}

TEST_F(SqliteJournals, LoseNothingDurableWhereverInAWriteTheDiskBeginsToRefuse) {
  DiskFaults faults;
  property::Random random(11);
  open();
  PlayedMatch match(*journal_, 1, 1, 4'000);
  for (int i = 0; i < 25; ++i) {
    faults.fail(std::vector{ENOSPC, EIO, EROFS}[random.index(3)], static_cast<int>(random.between(0, 12)));
    for (int group = 0; group < 8 && !journal_->is_failing(); ++group) {
      match.play(match.match().tick() + 10);
      std::this_thread::sleep_for(milliseconds(3));
    }
    ASSERT_TRUE(eventually([&] { return journal_->is_failing(); }));
    const match::Tick durable = match.log().durable_tick();
    // The files as they are: what a server that dies now leaves behind.
    TemporaryFolder copy;
    journal_->with_store([&](JournalStore&) {
      for (const char* suffix : {"", "-wal"})
        fs::copy_file(path_.string() + suffix, copy.path() / (std::string("journal.db") + suffix));
    });
    faults.fail(0);
    const fs::path path = copy.path() / "journal.db";
    JournalStore store(path, JournalSync::kProcess);
    const Recovery recovery = recover(store, path);
    ASSERT_TRUE(recovery.damage.empty()) << recovery.damage.front();
    if (recovery.matches.empty()) {
      ASSERT_EQ(durable, 0u);
    } else {
      ASSERT_GE(recovery.matches[0].match->tick(), durable);
      ASSERT_EQ(recovery.matches[0].match->digest(), match.digest(recovery.matches[0].match->tick()));
    }
    ASSERT_TRUE(is_settled(match.log().position()));
  }
}

TEST_F(SqliteJournals, AMatchGoesOnAfterAHoleWhenTheQueueWasFull) {
  DiskFaults faults;
  open(100'000);
  PlayedMatch match(*journal_, 1, 1, 3'000);
  match.play(20);
  ASSERT_TRUE(is_settled(match.log().position()));
  faults.fail(ENOSPC);
  while (!match.log().has_lost_ticks()) match.play_tick();
  EXPECT_LE(journal_->queue_bytes(), 100'000u);
  EXPECT_EQ(match.log().durable_tick(), 20u);
  faults.fail(0);
  ASSERT_TRUE(eventually([&] { return journal_->has_room(); }));
  match.play(match.match().tick() + 10);
  ASSERT_NE(match.log().position(), 0u);
  ASSERT_TRUE(is_settled(match.log().position()));
  const match::Tick last = match.match().tick();
  EXPECT_EQ(match.log().durable_tick(), last);
  const Recovery recovery = recover_all();
  EXPECT_TRUE(recovery.damage.empty()) << recovery.damage.front();
  ASSERT_EQ(recovery.matches.size(), 1u);
  EXPECT_EQ(recovery.matches[0].match->tick(), last);
  EXPECT_EQ(recovery.matches[0].match->digest(), match.digest(last));
}

/// Shared with a process that will be killed.
struct Announced {
  std::atomic<match::Tick> durable[3];
};

[[noreturn]] void write_until_killed(const fs::path& path, Announced& announced) {
  SqliteJournal journal(std::make_unique<JournalStore>(path, JournalSync::kProcess),
                        {.flush = milliseconds(1)});
  JournalStore reader(path);
  std::vector<std::unique_ptr<PlayedMatch>> matches;
  for (JournalKey key = 1; key <= 3; ++key)
    matches.push_back(std::make_unique<PlayedMatch>(journal, key, key, 2'500));
  for (match::Tick tick = 1; tick < 2'500; ++tick) {
    for (std::size_t i = 0; i < 3; ++i) {
      matches[i]->play(tick);
      announced.durable[i] = matches[i]->log().durable_tick();
    }
    if (tick % 100 == 0) {
      const RecentTicks recent(reader, 20'000, [](const auto&) { abort(); });
      pack_recent_ticks(reader, recent, {},
                        [&](const std::function<void(JournalStore&)>& work) { journal.with_store(work); });
    }
    if (tick % 4 == 0) std::this_thread::sleep_for(milliseconds(1));
  }
  for (;;) pause();
}

TEST_F(SqliteJournals, WhatTheyHaveSaidIsDurableIsThereWheneverTheProcessIsKilled) {
  auto* const announced = static_cast<Announced*>(
      ::mmap(nullptr, sizeof(Announced), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(announced, MAP_FAILED);
  property::Random random(static_cast<std::uint64_t>(GTEST_FLAG_GET(random_seed)) + 5);
  std::vector<PlayedMatch::Records> records;
  for (JournalKey key = 1; key <= 3; ++key) records.push_back(PlayedMatch::records_of(key, 2'500));
  match::Tick most = 0;
  constexpr int kKills = rounds(15);
  for (int i = 0; i < kKills; ++i) {
    TemporaryFolder folder;
    const fs::path path = folder.path() / "journal.db";
    for (auto& durable : announced->durable) durable = 0;
    const pid_t child = ::fork();
    if (child == 0) write_until_killed(path, *announced);
    ASSERT_GT(child, 0);
    const auto least = static_cast<match::Tick>(300 * i / kKills + random.between(0, 60));
    EXPECT_TRUE(eventually([&] { return announced->durable[2] > least; }));
    std::this_thread::sleep_for(milliseconds(random.between(0, 50)));
    ::kill(child, SIGKILL);
    ASSERT_EQ(::waitpid(child, nullptr, 0), child);
    JournalStore store(path, JournalSync::kProcess);
    const Recovery recovery = recover(store, path);
    ASSERT_TRUE(recovery.damage.empty()) << recovery.damage.front();
    ASSERT_EQ(recovery.matches.size(), 3u);
    for (const RecoveredMatch& match : recovery.matches) {
      const match::Tick tick = match.match->tick();
      ASSERT_GE(tick, announced->durable[match.key - 1].load());
      if (tick > 0) {
        ASSERT_EQ(match.match->digest(), (*records[match.key - 1])[tick - 1].digest);
      }
      most = std::max(most, tick);
    }
  }
  EXPECT_GT(most, 100u);
  ::munmap(announced, sizeof(Announced));
}

}  // namespace
}  // namespace sweepd::runtime::sqlite_journal_test
