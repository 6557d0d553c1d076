// SPDX-License-Identifier: MIT
//
// Protects the disk and the neighbours of who writes much: a budget gives so many bytes a second and no more,
// a debt has to be earned, and leaving does not get rid of one.
#include "runtime/journal/write_budget.h"

#include <gtest/gtest.h>

#include "runtime/journal/match_write_budget.h"
#include "unit/runtime/slow_journal.h"

namespace sweepd::runtime::write_budget_test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

const TimePoint kStart = TimePoint() + std::chrono::hours(1);

TEST(WriteBudget, GivesFourSecondsAtOnceAndThenSoManyASecond) {
  WriteBudget budget(1'000);
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

TEST(WriteBudget, HasToBeEarnedBackAfterADebt) {
  WriteBudget budget(1'000);
  budget.take(20'000, kStart);
  EXPECT_FALSE(budget.has_room(kStart + milliseconds(15'900)));
  EXPECT_TRUE(budget.has_room(kStart + milliseconds(16'100)));
  EXPECT_FALSE(budget.is_full(kStart + milliseconds(19'900)));
  EXPECT_TRUE(budget.is_full(kStart + milliseconds(20'000)));
}

TEST(WriteBudget, OfNoLimitIsNeverUsedUp) {
  WriteBudget budget(0);
  budget.take(~std::uint64_t{0}, kStart);
  EXPECT_TRUE(budget.has_room(kStart));
}

TEST(WriteBudgets, KeepTheDebtOfOneWhoGoesAndComesBack) {
  WriteBudgets budgets(1'000);
  budgets.of("loud", kStart)->take(50'000, kStart);
  for (int i = 0; i < 5'000; ++i) budgets.of(std::to_string(i), kStart);
  EXPECT_FALSE(budgets.of("loud", kStart + seconds(10))->has_room(kStart + seconds(10)));
  EXPECT_TRUE(budgets.of("quiet", kStart)->has_room(kStart));
}

class MatchWriteBudgetTest : public ::testing::Test {
 protected:
  MatchWriteBudgetTest() {
    journal_.bytes_per_second = 1'000;
    journal_.creators = std::make_shared<WriteBudget>(500);
  }

  SlowJournal journal_;
};

TEST_F(MatchWriteBudgetTest, AMatchThatIsSteppedWaitsForThatOfItsCreatorToo) {
  MatchWriteBudget first(&journal_, "ann", match::ClockKind::kManual);
  const MatchWriteBudget second(&journal_, "ann", match::ClockKind::kManual);
  first.take(3'000, kStart);
  EXPECT_TRUE(first.has_room_of_its_own(kStart));
  EXPECT_FALSE(first.has_room(kStart));
  EXPECT_FALSE(second.has_room(kStart)) << "the creator's is one for all";
  EXPECT_TRUE(second.has_room(kStart + seconds(2)));
}

TEST_F(MatchWriteBudgetTest, AMatchOfTimedTicksTakesNothingFromItsCreator) {
  MatchWriteBudget budget(&journal_, "ann", match::ClockKind::kLockstep);
  budget.take(3'000, kStart);
  EXPECT_TRUE(budget.has_room(kStart));
  EXPECT_TRUE(journal_.creators->is_full(kStart));
  budget.take(2'000, kStart);
  EXPECT_FALSE(budget.has_room(kStart));
}

TEST_F(MatchWriteBudgetTest, WithoutAJournalThereIsAlwaysRoom) {
  MatchWriteBudget budget(nullptr, "ann", match::ClockKind::kManual);
  budget.take(1'000'000, kStart);
  EXPECT_TRUE(budget.has_room(kStart) && budget.has_room_of_its_own(kStart));
}

}  // namespace
}  // namespace sweepd::runtime::write_budget_test
