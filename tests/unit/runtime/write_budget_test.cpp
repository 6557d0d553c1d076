// SPDX-License-Identifier: MIT
//
// Protects the disk and the neighbours of who writes much: a budget gives so many bytes a second and no more,
// a debt has to be earned, and leaving does not get rid of one.
#include "runtime/journal/match_write_budget.h"

#include <gtest/gtest.h>

#include "unit/runtime/slow_journal.h"

namespace sweepd::runtime::write_budget_test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

const TimePoint kStart = TimePoint() + std::chrono::hours(1);

TEST(RateBudget, GivesFourSecondsAtOnceAndThenSoManyASecond) {
  RateBudget budget(1'000);
  std::uint64_t taken = 0;
  for (int i = 0; i < 10'000; ++i) {
    const TimePoint now = kStart + milliseconds(i);
    if (!budget.has_room(now)) continue;
    budget.take(100, now);
    taken += 100;
  }
  EXPECT_GE(taken, 14'000u);
  EXPECT_LE(taken, 14'200u);
}

TEST(RateBudget, HasToBeEarnedBackAfterADebt) {
  RateBudget budget(1'000);
  budget.take(20'000, kStart);
  EXPECT_FALSE(budget.has_room(kStart + milliseconds(15'900)));
  EXPECT_TRUE(budget.has_room(kStart + milliseconds(16'100)));
  EXPECT_FALSE(budget.is_full(kStart + milliseconds(19'900)));
  EXPECT_TRUE(budget.is_full(kStart + milliseconds(20'000)));
}

TEST(RateBudget, OfNoLimitIsNeverUsedUp) {
  RateBudget budget(0);
  budget.take(~std::uint64_t{0}, kStart);
  EXPECT_TRUE(budget.has_room(kStart));
}

BudgetLimits limits_of_creators() {
  BudgetLimits all{};
  all[Resource::kJournalBytes].of_key = {{0, 500, 10'000, 100'000}};
  return all;
}

class MatchWriteBudgetTest : public ::testing::Test {
 protected:
  MatchWriteBudgetTest() {
    journal_.bytes_per_second = 1'000;
    creator_.add(budgets_.account(KeyKind::kBackend, "ann"));
    creator_.add(budgets_.account(KeyKind::kTenant, "arcade"));
  }

  SlowJournal journal_;
  Budgets budgets_{limits_of_creators()};
  Payers creator_;
};

TEST_F(MatchWriteBudgetTest, AMatchThatIsSteppedWaitsForThatOfItsCreatorToo) {
  MatchWriteBudget first(&journal_, creator_, match::ClockKind::kManual);
  const MatchWriteBudget second(&journal_, creator_, match::ClockKind::kManual);
  first.take(3'000, kStart);
  EXPECT_TRUE(first.has_room_of_its_own(kStart));
  EXPECT_FALSE(first.has_room(kStart));
  EXPECT_FALSE(second.has_room(kStart)) << "the creator's is one for all";
  EXPECT_TRUE(second.has_room(kStart + seconds(2)));
}

TEST_F(MatchWriteBudgetTest, AMatchOfTimedTicksTakesNothingFromItsCreator) {
  MatchWriteBudget budget(&journal_, creator_, match::ClockKind::kLockstep);
  budget.take(3'000, kStart);
  EXPECT_TRUE(budget.has_room(kStart));
  EXPECT_TRUE(creator_.own().rate(Resource::kJournalBytes).is_full(kStart));
  budget.take(2'000, kStart);
  EXPECT_FALSE(budget.has_room(kStart));
}

std::vector<match::Participant> seated(std::vector<match::Role> roles) {
  std::vector<match::Participant> all(roles.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i].number = static_cast<match::ParticipantNumber>(i);
    all[i].role = roles[i];
  }
  return all;
}

/// So many bytes of a participant that the journal writes at once.
void write(MatchWriteBudget& budget, match::ParticipantNumber number, std::uint64_t bytes) {
  budget.note_sent(number, bytes);
  budget.take(bytes, kStart);
}

TEST_F(MatchWriteBudgetTest, WhoUsesUpAllOfItLeavesTheOthersTheirShares) {
  MatchWriteBudget budget(&journal_, creator_, match::ClockKind::kRealtime);
  budget.divide(
      seated({match::Role::kPlayer, match::Role::kPlayer, match::Role::kStage, match::Role::kObserver}));
  write(budget, 0, 4'001);
  EXPECT_FALSE(budget.has_room_of(0, kStart));
  for (const match::ParticipantNumber number : {1, 2}) EXPECT_TRUE(budget.has_room_of(number, kStart));
  write(budget, 1, 1'000);
  EXPECT_TRUE(budget.has_room_of(1, kStart)) << "four seconds of a quarter";
  write(budget, 1, 1);
  EXPECT_FALSE(budget.has_room_of(1, kStart));
  write(budget, 2, 2'000);
  EXPECT_TRUE(budget.has_room_of(2, kStart)) << "a stage has two";
  write(budget, 2, 1);
  EXPECT_FALSE(budget.has_room_of(2, kStart));
  EXPECT_FALSE(budget.has_room_of(0, kStart + seconds(3))) << "all of it is a debt of the match";
  EXPECT_TRUE(budget.has_room_of(1, kStart + seconds(1)));
}

TEST_F(MatchWriteBudgetTest, WhatIsWrittenIsItsSendersByHowMuchEachHasSent) {
  MatchWriteBudget budget(&journal_, creator_, match::ClockKind::kRealtime);
  budget.divide(seated({match::Role::kPlayer, match::Role::kPlayer}));
  budget.note_sent(0, 300);
  budget.note_sent(1, 100);
  budget.take(8'004, kStart);
  EXPECT_FALSE(budget.has_room_of(0, kStart)) << "6,003 bytes of 500 a second";
  EXPECT_FALSE(budget.has_room_of(1, kStart)) << "2,001";
  EXPECT_TRUE(budget.has_room_of(1, kStart + milliseconds(2)));
  EXPECT_FALSE(budget.has_room_of(0, kStart + milliseconds(2)));
}

TEST_F(MatchWriteBudgetTest, LeavingAndJoiningAgainGetsNoNewShare) {
  MatchWriteBudget budget(&journal_, creator_, match::ClockKind::kRealtime);
  const auto both = seated({match::Role::kPlayer, match::Role::kPlayer});
  budget.divide(both);
  write(budget, 0, 10'000);
  budget.divide({&both[1], 1});
  budget.divide(both);
  EXPECT_FALSE(budget.has_room_of(0, kStart));
  EXPECT_TRUE(budget.has_room_of(1, kStart));
}

TEST_F(MatchWriteBudgetTest, WithoutAJournalThereIsAlwaysRoom) {
  MatchWriteBudget budget(nullptr, creator_, match::ClockKind::kManual);
  budget.take(1'000'000, kStart);
  EXPECT_TRUE(budget.has_room(kStart) && budget.has_room_of_its_own(kStart));
}

}  // namespace
}  // namespace sweepd::runtime::write_budget_test
