// SPDX-License-Identifier: MIT
//
// Protects matches from a disk that is full when the server starts: they come back, go on in memory, and are
// in the journal as soon as there is room.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

#include <mutex>
#include <thread>

#include "runtime/journal/storage.h"
#include "unit/runtime/journal/played_match.h"
#include "unit/runtime/temporary_folder.h"

namespace sweepd::runtime::full_disk_test {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

/// No file of this process may become larger than a few kilobytes.
class FullDisk {
 public:
  FullDisk() : handler_(::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    rlimit limit = before_;
    limit.rlim_cur = 8'000;
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FullDisk() { end(); }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

  void end() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    ::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_ = {};
  sighandler_t handler_;
};

bool eventually(const std::function<bool()>& condition) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

class FullDiskStarts : public ::testing::Test {
 protected:
  std::unique_ptr<Storage> open() {
    auto storage = Storage::open({.directory = data_,
                                  .journal_flush = std::chrono::milliseconds(1),
                                  .health = &health_,
                                  .on_trouble = [this](const std::string& what) {
                                    const std::lock_guard lock(mutex_);
                                    trouble_.push_back(what);
                                  }});
    EXPECT_TRUE(storage.ok()) << storage.error();
    return storage.ok() ? std::move(*storage) : nullptr;
  }

  /// What a server that is killed leaves.
  void leave_remains(match::Tick last) {
    const fs::path live = folder_.path() / "live";
    auto storage = Storage::open({.directory = live, .journal_flush = std::chrono::milliseconds(1)});
    played_ = std::make_unique<PlayedMatch>((*storage)->journal(), 1, 1, 3'000);
    played_->play(last);
    ASSERT_TRUE(
        eventually([&] { return (*storage)->journal().durable_position() >= played_->log().position(); }));
    fs::copy(live, data_, fs::copy_options::recursive);
  }

  TemporaryFolder folder_;
  const fs::path data_ = folder_.path() / "data";
  std::mutex mutex_;
  std::vector<std::string> trouble_;
  Health health_;
  std::unique_ptr<PlayedMatch> played_;
};

TEST_F(FullDiskStarts, GoOnInMemoryAndCatchUp) {
  leave_remains(1'300);
  match::Tick last = 0;
  {
    FullDisk full;
    const auto storage = open();
    ASSERT_NE(storage, nullptr);
    EXPECT_FALSE(health_.find("journal")->is_ok());
    EXPECT_TRUE(storage->lost_ticks().empty());
    auto matches = storage->take_matches();
    ASSERT_EQ(matches.size(), 1u);
    replay::Recorder recorder(std::move(matches[0].match));
    const match::Match& match = recorder.match();
    EXPECT_EQ(match.tick(), 1'300u);
    EXPECT_EQ(match.digest(), played_->digest(1'300));
    MatchLog log(recorder, {.journal = &storage->journal(), .key = 1, .cast = matches[0].cast});
    while (match.tick() < 1'400) {
      recorder.step();
      log.write_tick();
    }
    EXPECT_TRUE(storage->journal().is_failing());
    EXPECT_EQ(log.durable_tick(), 1'300u);
    full.end();
    ASSERT_TRUE(eventually([&] { return log.durable_tick() == 1'400; }));
    EXPECT_TRUE(health_.find("journal")->is_ok());
    last = match.tick();
  }
  EXPECT_THAT(trouble_, Contains(HasSubstr("the journal cannot be written")));
  trouble_.clear();
  const auto storage = open();
  const auto matches = storage->take_matches();
  ASSERT_EQ(matches.size(), 1u);
  EXPECT_EQ(matches[0].match->tick(), last);
  EXPECT_TRUE(trouble_.empty()) << trouble_[0];
}

TEST_F(FullDiskStarts, CountWhatDamageCostsAllTheSame) {
  leave_remains(600);
  const fs::path wal = data_ / "journal.db-wal";
  fs::resize_file(wal, fs::file_size(wal) / 2);
  match::Tick lost = 0;
  {
    FullDisk full;
    const auto storage = open();
    ASSERT_NE(storage, nullptr);
    ASSERT_EQ(storage->lost_ticks().size(), 1u);
    lost = storage->lost_ticks()[0].count();
    EXPECT_GT(lost, 0u);
  }
  // Nothing of it could be written down: the next start counts the same, once.
  const auto storage = open();
  ASSERT_EQ(storage->lost_ticks().size(), 1u);
  EXPECT_EQ(storage->lost_ticks()[0].count(), lost);
}

}  // namespace
}  // namespace sweepd::runtime::full_disk_test
