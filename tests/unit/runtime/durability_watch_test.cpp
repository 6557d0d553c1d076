// SPDX-License-Identifier: MIT
//
// Protects what a match hears of its journal: word that something is durable comes on the loop on which the
// match lives then, once for all that was asked, and to no match that is gone.
#include "runtime/journal/durability_watch.h"

#include <gtest/gtest.h>

#include <memory>

#include "unit/runtime/match_host_fixture.h"
#include "unit/runtime/slow_journal.h"

namespace sweepd::runtime::durability_watch_test {
namespace {

class DurabilityWatchTest : public ::testing::Test {
 protected:
  void settle_and_run() {
    journal_.settle_all();
    loop_.run_round();
    other_loop_.run_round();
  }

  FakePoller poller_;
  Loop loop_{poller_};
  FakePoller other_poller_;
  Loop other_loop_{other_poller_};
  SlowJournal journal_;
  int reports_ = 0;
  std::unique_ptr<DurabilityWatch> watch_ =
      std::make_unique<DurabilityWatch>(loop_, &journal_, [this] { ++reports_; });
};

TEST_F(DurabilityWatchTest, ReportsOnceForAllThatIsAskedMeanwhile) {
  for (Journal::Position position = 3; position < 6; ++position) watch_->watch(position);
  EXPECT_THAT(journal_.positions, ElementsAre(3));
  journal_.settle_all();
  EXPECT_EQ(reports_, 0) << "on the loop only";
  loop_.run_round();
  EXPECT_EQ(reports_, 1);
  watch_->watch(6);
  settle_and_run();
  EXPECT_EQ(reports_, 2);
}

TEST_F(DurabilityWatchTest, WhatTheOldLoopWasToReportIsDroppedWithAMove) {
  EXPECT_FALSE(watch_->move_to(other_loop_)) << "nothing was asked";
  EXPECT_FALSE(watch_->move_to(loop_));
  watch_->watch(3);
  EXPECT_TRUE(watch_->move_to(other_loop_));
  settle_and_run();
  EXPECT_EQ(reports_, 0);
  watch_->watch(4);
  journal_.settle_all();
  loop_.run_round();
  EXPECT_EQ(reports_, 0);
  other_loop_.run_round();
  EXPECT_EQ(reports_, 1);
}

TEST_F(DurabilityWatchTest, AJournalMayAnswerOneThatIsGone) {
  watch_->watch(3);
  watch_.reset();
  settle_and_run();
  EXPECT_EQ(reports_, 0);
}

}  // namespace
}  // namespace sweepd::runtime::durability_watch_test
