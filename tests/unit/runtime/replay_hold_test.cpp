// SPDX-License-Identifier: MIT
//
// Protects evidence: a replay that is held is removed by nothing until it is released, also after a restart,
// and one that is removed is gone for good.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "runtime/replays/replay_store.h"
#include "unit/runtime/temporary_folder.h"

namespace sweepd::runtime::replay_hold_test {
namespace {

using std::chrono::seconds;
using std::chrono::system_clock;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

const system_clock::time_point kNow(seconds(1'000));

MatchId id_of(char last) { return MatchId(15, 'a') + last; }

class ReplayHold : public ::testing::Test {
 protected:
  /// Of replays "b", "c" and "d", the oldest first, of ten bytes each.
  void SetUp() override {
    std::filesystem::create_directory(directory_);
    for (const char last : {'b', 'c', 'd'}) {
      std::ofstream(path_of(last)) << "0123456789";
      const timespec times[2] = {{last, 0}, {last, 0}};
      ASSERT_EQ(::utimensat(AT_FDCWD, path_of(last).c_str(), times, 0), 0);
    }
    open({});
    const auto tried = store_->hold(id_of('b'), true);
    if (!tried && tried.error().kind == ReplayErrorKind::kHoldNotKept) GTEST_SKIP() << tried.error().what;
    ASSERT_TRUE(tried.ok()) << tried.error().what;
    EXPECT_EQ(*tried, 10u);
  }

  void open(const ReplayLimits& limits) {
    auto store = ReplayStore::open(directory_, limits);
    ASSERT_TRUE(store.ok()) << store.error();
    store_ = std::move(*store);
  }
  std::filesystem::path path_of(char last) const { return directory_ / (id_of(last) + ".swpr"); }
  std::vector<MatchId> removed() {
    std::vector<MatchId> ids;
    for (const auto& replay : store_->remove_excess(kNow).removed) ids.push_back(replay.id);
    return ids;
  }
  static ReplayErrorKind kind_of(const ReplayStore::Changed& changed) {
    EXPECT_FALSE(changed.ok());
    return changed.ok() ? ReplayErrorKind::kBusy : changed.error().kind;
  }

  TemporaryFolder folder_;
  const std::filesystem::path directory_ = folder_.path() / "replays";
  std::unique_ptr<ReplayStore> store_;
};

TEST_F(ReplayHold, KeepsAReplayFromItsAge) {
  open({.replay_age_max = seconds(1)});
  EXPECT_THAT(removed(), ElementsAre(id_of('c'), id_of('d')));
  EXPECT_TRUE(std::filesystem::exists(path_of('b')));
  ASSERT_TRUE(store_->hold(id_of('b'), false).ok());
  EXPECT_THAT(removed(), ElementsAre(id_of('b')));
}

TEST_F(ReplayHold, TakesNoRoomFromOthers) {
  open({.replay_bytes_max = 20});
  EXPECT_THAT(removed(), IsEmpty());
  EXPECT_EQ(store_->usage().bytes, 30u);
  EXPECT_EQ(store_->usage().replays, 3u);
  ASSERT_TRUE(store_->hold(id_of('b'), false).ok());
  EXPECT_THAT(removed(), ElementsAre(id_of('b')));
}

TEST_F(ReplayHold, IsOfNoMoreBytesThanReplaysMayHave) {
  open({.replay_bytes_max = 15});
  EXPECT_EQ(kind_of(store_->hold(id_of('c'), true)), ReplayErrorKind::kTooMuchHeld);
  ASSERT_TRUE(store_->hold(id_of('b'), false).ok());
  EXPECT_TRUE(store_->hold(id_of('c'), true).ok());
}

TEST_F(ReplayHold, KeepsAReplayFromBeingDeletedUntilItsRelease) {
  EXPECT_EQ(kind_of(store_->remove(id_of('b'))), ReplayErrorKind::kHeld);
  ASSERT_TRUE(store_->hold(id_of('b'), true).ok()) << "twice is once";
  ASSERT_TRUE(store_->hold(id_of('b'), false).ok());
  ASSERT_TRUE(store_->hold(id_of('b'), false).ok());
  const auto deleted = store_->remove(id_of('b'));
  ASSERT_TRUE(deleted.ok());
  EXPECT_EQ(*deleted, 10u);
  EXPECT_FALSE(std::filesystem::exists(path_of('b')));
  EXPECT_EQ(kind_of(store_->remove(id_of('b'))), ReplayErrorKind::kNotFound);
  EXPECT_EQ(kind_of(store_->hold(id_of('b'), true)), ReplayErrorKind::kNotFound);
  EXPECT_EQ(store_->usage().bytes, 20u);
}

TEST_F(ReplayHold, OfAReplayThatSomebodyElseRemovedIsNotFound) {
  std::filesystem::remove(path_of('c'));
  EXPECT_EQ(kind_of(store_->hold(id_of('c'), true)), ReplayErrorKind::kNotFound);
  EXPECT_EQ(store_->usage().replays, 2u);
}

}  // namespace
}  // namespace sweepd::runtime::replay_hold_test
