// SPDX-License-Identifier: MIT
//
// Protects the replays on disk: a replay is there whole or not at all, whatever the disk does; retention
// takes the oldest and nothing else; names from outside reach no other file.
#include "runtime/replays/replay_store.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

#include <fstream>
#include <set>
#include <sstream>
#include <thread>

#include "unit/runtime/temporary_folder.h"

namespace sweepd::runtime::replay_store_test {
namespace {

using std::chrono::seconds;
using std::chrono::system_clock;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// "aaaaaaaaaaaaaaaa" for 0, then "aaaaaaaaaaaaaaab", in order.
MatchId id_of(unsigned number) {
  MatchId id(16, 'a');
  for (std::size_t i = id.size(); number != 0; number /= 26) id[--i] = static_cast<char>('a' + number % 26);
  return id;
}

std::string text_of(const ReplayFile& file) { return file.read(0, file.size()).value_or("(cannot be read)"); }

/// No file of this process may become larger: a disk that is full, as far as one who writes can tell.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) : handler_(::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    rlimit limit = before_;
    limit.rlim_cur = bytes;
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FullDisk() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    ::signal(SIGXFSZ, handler_);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

 private:
  rlimit before_ = {};
  sighandler_t handler_;
};

class ReplayStoreTest : public ::testing::Test {
 protected:
  std::unique_ptr<ReplayStore> open(const ReplayLimits& limits = {}) {
    auto store = ReplayStore::open(directory_, limits);
    EXPECT_TRUE(store.ok()) << store.error();
    return std::move(*store);
  }

  std::filesystem::path path(const std::string& name) const { return directory_ / name; }
  std::filesystem::path path_of(unsigned number) const { return path(id_of(number) + ".swpr"); }

  void put_file(const std::string& name, const std::string& content = "content") {
    std::filesystem::create_directory(directory_);
    std::ofstream(path(name)) << content;
  }

  /// A replay that was written so long after the start of time.
  void put_replay(unsigned number, seconds time, const std::string& content = "content") {
    put_file(id_of(number) + ".swpr", content);
    const timespec times[2] = {{time.count(), 0}, {time.count(), 0}};
    ASSERT_EQ(::utimensat(AT_FDCWD, path_of(number).c_str(), times, 0), 0);
  }

  static void write(ReplayStore& store, unsigned number, const std::string& content) {
    auto writing = store.begin(id_of(number));
    ASSERT_TRUE(writing.ok()) << writing.error();
    ASSERT_EQ(writing->append(content), std::nullopt);
    ASSERT_EQ(writing->commit(), std::nullopt);
  }

  static std::shared_ptr<const ReplayFile> read(ReplayStore& store, const MatchId& id) {
    auto file = store.open(id);
    EXPECT_TRUE(file.ok()) << file.error();
    return *file;
  }

  std::set<std::string> names() const {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(directory_))
      names.insert(entry.path().filename().string());
    return names;
  }

  TemporaryFolder folder_;
  const std::filesystem::path directory_ = folder_.path() / "replays";
};

std::vector<MatchId> ids_of(const Removal& removal) {
  std::vector<MatchId> ids;
  for (const auto& replay : removal.removed) ids.push_back(replay.id);
  return ids;
}

TEST_F(ReplayStoreTest, CreatesItsDirectoryForItsGroupToReadAndForNobodyElse) {
  const auto store = open();
  EXPECT_EQ(static_cast<unsigned>(std::filesystem::status(directory_).permissions()) & 07027u, 0u);
  EXPECT_EQ(store->usage().replays, 0u);
}

TEST_F(ReplayStoreTest, AnAddressThatKeepsMuchLosesItsOwnReplaysOnly) {
  const auto keep = [](ReplayStore& store, unsigned number, const BudgetKey& key) {
    auto writing = store.begin(id_of(number), key);
    ASSERT_TRUE(writing.ok()) << writing.error();
    ASSERT_EQ(writing->append(std::string(100, 'x')), std::nullopt);
    ASSERT_EQ(writing->commit(), std::nullopt);
  };
  {
    const auto store = open({.replay_bytes_max = 1'000});
    for (unsigned i = 0; i < 3; ++i) keep(*store, i, "the quiet one");
    for (unsigned i = 3; i < 100; ++i) {
      keep(*store, i, "the loud one");
      EXPECT_EQ(store->remove_excess(system_clock::now()).error, std::nullopt);
    }
    EXPECT_EQ(store->usage().bytes, 1'000u);
    for (unsigned i = 0; i < 3; ++i) EXPECT_NE(read(*store, id_of(i)), nullptr);
    for (unsigned i = 93; i < 100; ++i) EXPECT_NE(read(*store, id_of(i)), nullptr);
  }
  // After a restart, too: the owner is kept with the file.
  const auto store = open({.replay_bytes_max = 400});
  store->remove_excess(system_clock::now());
  EXPECT_EQ(store->usage().bytes, 400u);
  unsigned quiet = 0;
  for (unsigned i = 0; i < 3; ++i) quiet += read(*store, id_of(i)) != nullptr ? 1 : 0;
  EXPECT_GE(quiet, 2u);
}

TEST_F(ReplayStoreTest, ASubjectOrATenantThatKeepsTooMuchLosesItsOldestAndNoOtherDoes) {
  const auto store = open({.bytes_of_key = {{0, 300, 500, 0}}});
  const auto keep = [&](unsigned number, const BudgetKey& key) {
    auto writing = store->begin(id_of(number), key);
    ASSERT_TRUE(writing.ok() && !writing->append(std::string(100, 'x')) && !writing->commit());
    std::this_thread::sleep_for(std::chrono::milliseconds(2));  // They are told apart by their times.
  };
  const auto has = [&](unsigned number) { return read(*store, id_of(number)) != nullptr; };
  for (unsigned i = 0; i < 5; ++i)
    keep(i,
         "studio\x1fgame\x1f"
         "arcade");
  for (unsigned i = 5; i < 8; ++i)
    keep(i,
         "rival\x1fgame\x1f"
         "arcade");
  for (unsigned i = 8; i < 18; ++i) keep(i, "10.0.0.1");
  const Removal removal = store->remove_excess(system_clock::now());
  EXPECT_EQ(removal.removed.size(), 3u);
  for (const Removal::Replay& replay : removal.removed) EXPECT_EQ(replay.reason, RemovalReason::kQuota);
  EXPECT_FALSE(has(0) || has(1)) << "the subject had five";
  EXPECT_FALSE(has(2)) << "the tenant had six then";
  for (unsigned i = 3; i < 18; ++i) EXPECT_TRUE(has(i)) << i;
}

TEST_F(ReplayStoreTest, TheTenantThatKeepsMostMakesRoomHoweverManySubjectsItHas) {
  const auto store = open({.replay_bytes_max = 800});
  const auto keep = [&](unsigned number, const BudgetKey& key) {
    auto writing = store->begin(id_of(number), key);
    ASSERT_TRUE(writing.ok() && !writing->append(std::string(100, 'x')) && !writing->commit());
  };
  for (unsigned i = 0; i < 3; ++i)
    keep(i,
         "studio\x1fgame\x1f"
         "quiet");
  for (unsigned i = 3; i < 13; ++i)
    keep(i, std::to_string(i) +
                "\x1fgame\x1f"
                "loud");
  store->remove_excess(system_clock::now());
  EXPECT_EQ(store->usage().bytes, 800u);
  for (unsigned i = 0; i < 3; ++i) EXPECT_NE(read(*store, id_of(i)), nullptr) << i;
}

TEST_F(ReplayStoreTest, KeepsWhatWasCommittedAndFindsItAgain) {
  {
    const auto store = open();
    write(*store, 1, "first");
    write(*store, 2, "second");
  }
  const auto store = open();
  EXPECT_EQ(store->usage().replays, 2u);
  EXPECT_EQ(store->usage().bytes, 11u);
  EXPECT_EQ(text_of(*read(*store, id_of(1))), "first");
  EXPECT_EQ(text_of(*read(*store, id_of(2))), "second");
}

TEST_F(ReplayStoreTest, NobodySeesAReplayBeforeItsCommit) {
  const auto store = open();
  auto writing = store->begin(id_of(1));
  ASSERT_TRUE(writing.ok());
  ASSERT_EQ(writing->append("half of"), std::nullopt);
  EXPECT_EQ(read(*store, id_of(1)), nullptr);
  EXPECT_EQ(store->usage().replays, 0u);
  EXPECT_FALSE(std::filesystem::exists(path_of(1)));
  ASSERT_EQ(writing->append(" it"), std::nullopt);
  ASSERT_EQ(writing->commit(), std::nullopt);
  EXPECT_EQ(text_of(*read(*store, id_of(1))), "half of it");
  EXPECT_EQ(store->usage().bytes, 10u);
}

TEST_F(ReplayStoreTest, AWritingThatIsDroppedLeavesNothing) {
  const auto store = open();
  {
    auto writing = store->begin(id_of(1));
    ASSERT_EQ(writing->append("bytes"), std::nullopt);
    const ReplayWriting moved = std::move(*writing);
    EXPECT_EQ(names().size(), 1u);
  }
  EXPECT_THAT(names(), IsEmpty());
  write(*store, 1, "again");
}

TEST_F(ReplayStoreTest, OneReplayIsWrittenByOneAtATime) {
  const auto store = open();
  auto writing = store->begin(id_of(1));
  const auto second = store->begin(id_of(1));
  ASSERT_FALSE(second.ok());
  EXPECT_THAT(second.error(), HasSubstr("being written already"));
  ASSERT_EQ(writing->append("bytes"), std::nullopt);
  ASSERT_EQ(writing->commit(), std::nullopt);
  EXPECT_TRUE(store->begin(id_of(1)).ok());
}

TEST_F(ReplayStoreTest, AReplayThatIsWrittenAgainTakesThePlaceOfTheFormerAtOnce) {
  const auto store = open();
  write(*store, 1, "the first one");
  const auto former = read(*store, id_of(1));
  write(*store, 1, "the next");
  EXPECT_EQ(text_of(*former), "the first one");
  EXPECT_EQ(text_of(*read(*store, id_of(1))), "the next");
  EXPECT_EQ(store->usage().replays, 1u);
  EXPECT_EQ(store->usage().bytes, 8u);
}

TEST_F(ReplayStoreTest, RemovesWhatACrashHasLeftHalfWritten) {
  put_file(id_of(1) + ".swpr.part");
  put_file(id_of(2) + ".swpr");
  const auto store = open();
  EXPECT_THAT(names(), ElementsAre(id_of(2) + ".swpr"));
  EXPECT_EQ(store->usage().replays, 1u);
}

TEST_F(ReplayStoreTest, LeavesAloneWhatItDoesNotRecognise) {
  const std::set<std::string> foreign = {
      "notes.txt",  "short.swpr", "AAAAAAAAAAAAAAAA.swpr", "aaaaaaaaaaaaaaa1.swpr",
      "other.part", id_of(3),     id_of(3) + ".swpr.bak"};
  for (const auto& name : foreign) put_file(name);
  std::filesystem::create_directory(path_of(4));
  std::filesystem::create_symlink(path("notes.txt"), path_of(5));
  const auto store = open({.replay_age_max = seconds(0), .replay_bytes_max = 0});
  EXPECT_EQ(store->usage().replays, 0u);
  EXPECT_EQ(store->usage().bytes, 0u);
  EXPECT_EQ(read(*store, id_of(5)), nullptr);
  EXPECT_THAT(store->remove_excess(system_clock::now() + seconds(1000)).removed, IsEmpty());
  EXPECT_EQ(names().size(), foreign.size() + 2);
}

TEST_F(ReplayStoreTest, NamesFromOutsideReachNoOtherFile) {
  put_file("notes.txt", "secret");
  const auto store = open();
  for (const std::string& id :
       {std::string(), std::string("../replays/notes"), std::string("notes.txt"), std::string(16, '/'),
        std::string(15, 'a') + '\0', std::string(17, 'a'), std::string(16, 'A'), std::string(4096, 'a')}) {
    EXPECT_EQ(read(*store, id), nullptr) << id;
    const auto writing = store->begin(id);
    ASSERT_FALSE(writing.ok()) << id;
    EXPECT_THAT(writing.error(), HasSubstr("not the id of a match"));
  }
  EXPECT_THAT(names(), ElementsAre("notes.txt"));
}

TEST_F(ReplayStoreTest, ALinkInPlaceOfAReplayIsNotFollowed) {
  const auto store = open();
  write(*store, 1, "bytes");
  put_file("notes.txt", "secret");
  std::filesystem::remove(path_of(1));
  std::filesystem::create_symlink(path("notes.txt"), path_of(1));
  EXPECT_THAT(store->open(id_of(1)).error(), HasSubstr(path_of(1).string()));
  std::filesystem::create_symlink(path("notes.txt"), path(id_of(2) + ".swpr.part"));
  write(*store, 2, "other");
  std::ostringstream notes;
  notes << std::ifstream(path("notes.txt")).rdbuf();
  EXPECT_EQ(notes.str(), "secret");
}

TEST_F(ReplayStoreTest, AReplayThatSomebodyElseRemovedIsNoLongerThere) {
  const auto store = open();
  write(*store, 1, "bytes");
  write(*store, 2, "bytes");
  std::filesystem::remove(path_of(1));
  std::filesystem::remove(path_of(2));
  EXPECT_EQ(read(*store, id_of(1)), nullptr);
  EXPECT_EQ(store->usage().replays, 1u);
  EXPECT_THAT(store->remove_excess(system_clock::now()).removed, IsEmpty());
}

TEST_F(ReplayStoreTest, AFullDiskIsAnErrorThatLeavesNothingAndPasses) {
  const auto store = open();
  write(*store, 1, "kept");
  {
    const FullDisk full(1000);
    auto writing = store->begin(id_of(2));
    ASSERT_EQ(writing->append(std::string(900, 'x')), std::nullopt);
    const auto error = writing->append(std::string(200, 'x'));
    ASSERT_TRUE(error);
    EXPECT_THAT(*error, HasSubstr(path(id_of(2) + ".swpr.part").string()));
    EXPECT_EQ(writing->append("more"), error);
    EXPECT_EQ(writing->commit(), error);
    EXPECT_THAT(names(), ElementsAre(id_of(1) + ".swpr"));
    auto next = store->begin(id_of(2));
    ASSERT_TRUE(next.ok()) << "a failed writing is over, even if it is still held";
  }
  write(*store, 2, std::string(5000, 'x'));
  EXPECT_EQ(store->usage().bytes, 5004u);
}

TEST_F(ReplayStoreTest, ADirectoryThatTakesNothingCanStillBeRead) {
  put_replay(1, seconds(1000));
  std::filesystem::permissions(folder_.path(), std::filesystem::perms(0755));
  std::filesystem::permissions(directory_, std::filesystem::perms(0555));
  {
    const WithoutPrivileges nobody;
    const auto store = open({.replay_bytes_max = 0});
    EXPECT_EQ(text_of(*read(*store, id_of(1))), "content");
    const auto writing = store->begin(id_of(2));
    ASSERT_FALSE(writing.ok());
    EXPECT_THAT(writing.error(), HasSubstr("Permission denied"));
    const Removal removal = store->remove_excess(system_clock::now());
    EXPECT_THAT(removal.removed, IsEmpty());
    EXPECT_THAT(removal.error.value_or(""), HasSubstr(path_of(1).string() + ": Permission denied"));
    EXPECT_EQ(store->usage().replays, 1u);
  }
  std::filesystem::permissions(directory_, std::filesystem::perms(0755));
}

TEST_F(ReplayStoreTest, SaysWhyADirectoryCannotBeOpened) {
  std::ofstream(directory_.string()) << "a file";
  const auto file = ReplayStore::open(directory_, {});
  ASSERT_FALSE(file.ok());
  EXPECT_THAT(file.error(), HasSubstr(directory_.string() + ": Not a directory"));
  const auto orphan = ReplayStore::open(folder_.path() / "missing" / "replays", {});
  ASSERT_FALSE(orphan.ok());
  EXPECT_THAT(orphan.error(), HasSubstr("missing/replays: No such file or directory"));
}

TEST_F(ReplayStoreTest, ADirectoryThatBecameAFileIsAnErrorUntilItIsBack) {
  const auto store = open();
  write(*store, 1, "bytes");
  auto writing = store->begin(id_of(2));
  ASSERT_EQ(writing->append("bytes"), std::nullopt);
  std::filesystem::rename(directory_, folder_.path() / "aside");
  std::ofstream(directory_.string()) << "a file";
  const auto error = writing->commit();
  ASSERT_TRUE(error);
  EXPECT_THAT(*error, HasSubstr("Not a directory"));
  EXPECT_FALSE(store->open(id_of(1)).ok());
  EXPECT_FALSE(store->begin(id_of(3)).ok());
  std::filesystem::remove(directory_);
  std::filesystem::rename(folder_.path() / "aside", directory_);
  EXPECT_EQ(text_of(*read(*store, id_of(1))), "bytes");
  write(*store, 2, "bytes");
}

TEST_F(ReplayStoreTest, RemovesByAgeWhatIsOlderAndNothingThatIsExactlyThatOld) {
  put_replay(1, seconds(1000));
  put_replay(2, seconds(2000));
  put_replay(3, seconds(1999));
  put_replay(4, seconds(9999));
  const auto store = open({.replay_age_max = seconds(500)});
  const Removal removal = store->remove_excess(system_clock::time_point(seconds(2500)));
  EXPECT_THAT(ids_of(removal), ElementsAre(id_of(1), id_of(3)));
  EXPECT_EQ(removal.removed.front().reason, RemovalReason::kAge);
  EXPECT_EQ(removal.removed.front().size_bytes, 7u);
  EXPECT_THAT(names(), ElementsAre(id_of(2) + ".swpr", id_of(4) + ".swpr"));
  EXPECT_EQ(store->usage().bytes, 14u);
}

TEST_F(ReplayStoreTest, RemovesBySizeOldestFirstUntilTheRestFits) {
  put_replay(1, seconds(3000), std::string(100, 'x'));
  put_replay(2, seconds(1000), std::string(100, 'x'));
  put_replay(3, seconds(2000), std::string(100, 'x'));
  const auto store = open({.replay_bytes_max = 200});
  const Removal removal = store->remove_excess(system_clock::now());
  EXPECT_THAT(ids_of(removal), ElementsAre(id_of(2)));
  EXPECT_EQ(removal.removed.front().reason, RemovalReason::kSize);
  EXPECT_FALSE(removal.error);
  EXPECT_THAT(ids_of(store->remove_excess(system_clock::now())), IsEmpty());
  write(*store, 4, std::string(101, 'x'));
  EXPECT_THAT(ids_of(store->remove_excess(system_clock::now())), ElementsAre(id_of(3), id_of(1)));
  EXPECT_EQ(store->usage().bytes, 101u);
}

TEST_F(ReplayStoreTest, ReplaysOfTheSameTimeGoInTheOrderOfTheirIds) {
  for (const unsigned number : {5u, 3u, 9u, 7u}) put_replay(number, seconds(1000));
  const auto store = open({.replay_bytes_max = 14});
  EXPECT_THAT(ids_of(store->remove_excess(system_clock::now())), ElementsAre(id_of(3), id_of(5)));
}

TEST_F(ReplayStoreTest, AReplayFromAFarFutureIsKeptAndAFarPastIsOld) {
  put_replay(1, seconds(16'000'000'000));
  put_replay(2, seconds(-5000));
  const auto store = open({.replay_age_max = std::chrono::hours(24)});
  EXPECT_THAT(ids_of(store->remove_excess(system_clock::now())), ElementsAre(id_of(2)));
}

TEST_F(ReplayStoreTest, WhatIsReadOrWrittenIsSafeFromRetention) {
  put_replay(1, seconds(1000));
  const auto store = open({.replay_bytes_max = 0});
  const auto reader = read(*store, id_of(1));
  auto writing = store->begin(id_of(2));
  ASSERT_EQ(writing->append("bytes"), std::nullopt);
  EXPECT_THAT(ids_of(store->remove_excess(system_clock::now())), ElementsAre(id_of(1)));
  EXPECT_EQ(read(*store, id_of(1)), nullptr);
  EXPECT_EQ(text_of(*reader), "content");
  ASSERT_EQ(writing->commit(), std::nullopt);
  EXPECT_EQ(text_of(*read(*store, id_of(2))), "bytes");
}

TEST_F(ReplayStoreTest, WhatCannotBeRemovedDoesNotKeepTheRestFromMakingRoom) {
  const auto store = open({.replay_bytes_max = 7});
  for (const unsigned number : {1u, 2u, 3u}) write(*store, number, "content");
  std::filesystem::remove(path_of(1));
  std::filesystem::create_directory(path_of(1));  // As little to be removed as a file on a failing disk.
  const Removal removal = store->remove_excess(system_clock::now());
  EXPECT_THAT(ids_of(removal), ElementsAre(id_of(2), id_of(3)));
  EXPECT_THAT(removal.error.value_or(""), HasSubstr(path_of(1).string()));
}

TEST_F(ReplayStoreTest, TenThousandReplaysAreFoundAndThinnedOut) {
  for (unsigned i = 0; i < 10'000; ++i) put_replay(i, seconds(1000 + i % 100), "x");
  const auto store = open({.replay_bytes_max = 2500});
  EXPECT_EQ(store->usage().replays, 10'000u);
  EXPECT_EQ(store->remove_excess(system_clock::now()).removed.size(), 7500u);
  EXPECT_EQ(names().size(), 2500u);
  // Those of the 75 oldest times: 0 to 74 of each hundred.
  EXPECT_FALSE(std::filesystem::exists(path_of(174)));
  EXPECT_TRUE(std::filesystem::exists(path_of(175)));
}

TEST_F(ReplayStoreTest, ManyMayWriteReadAndRemoveAtOnce) {
  const auto store = open({.replay_bytes_max = 2000});
  const auto work = [&store](unsigned first) {
    for (unsigned i = 0; i < 100; ++i) {
      write(*store, first + i % 50, std::string(100, static_cast<char>('a' + i % 26)));
      const auto file = read(*store, id_of(i * 7 % 150));
      EXPECT_TRUE(file == nullptr || text_of(*file).size() == 100);
      EXPECT_FALSE(store->remove_excess(system_clock::now()).error);
    }
  };
  std::vector<std::thread> threads;
  for (const unsigned first : {0u, 50u, 100u}) threads.emplace_back(work, first);
  for (std::thread& thread : threads) thread.join();
  store->remove_excess(system_clock::now());
  EXPECT_LE(store->usage().bytes, 2000u);
  EXPECT_EQ(store->usage().replays, names().size());
  EXPECT_EQ(store->usage().bytes, store->usage().replays * 100);
}

}  // namespace
}  // namespace sweepd::runtime::replay_store_test
