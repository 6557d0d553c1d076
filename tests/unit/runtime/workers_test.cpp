// SPDX-License-Identifier: MIT
//
// Protects who has something done beside the loops: jobs run in their order, a bound on those that wait
// holds, and of each job exactly one of its two ends comes, also when the workers stop.
#include "runtime/loop/workers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <future>
#include <thread>
#include <vector>

#include "runtime/budgets/allowance.h"

namespace sweepd::runtime::workers_test {
namespace {

/// A job that runs until it is let go.
class Gate {
 public:
  Workers::Job job() {
    return {.run =
                [this] {
                  entered_.set_value();
                  open_.get_future().wait();
                },
            .drop = [] { ADD_FAILURE() << "a job that runs is not dropped"; }};
  }
  void await() { entered_.get_future().wait(); }
  void open() { open_.set_value(); }

 private:
  std::promise<void> entered_;
  std::promise<void> open_;
};

TEST(Workers, RunJobsInTheirOrder) {
  std::vector<int> order;
  std::promise<void> done;
  Workers workers(1, 100);
  for (int i = 0; i < 50; ++i) {
    ASSERT_TRUE(workers.add({.run = [&order, i] { order.push_back(i); }, .drop = [] {}}));
  }
  ASSERT_TRUE(workers.add({.run = [&done] { done.set_value(); }, .drop = [] {}}));
  done.get_future().wait();
  ASSERT_EQ(order.size(), 50u);
  EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
}

TEST(Workers, RefuseWhatIsMoreThanMayWait) {
  Gate gate;
  std::atomic<int> dropped = 0;
  std::atomic<int> run = 0;
  const auto job = [&] { return Workers::Job{.run = [&] { ++run; }, .drop = [&] { ++dropped; }}; };
  Workers workers(1, 2);
  ASSERT_TRUE(workers.add(gate.job()));
  gate.await();
  EXPECT_TRUE(workers.add(job()));
  EXPECT_TRUE(workers.add(job()));
  EXPECT_FALSE(workers.add(job()));
  auto stopping = std::async(std::launch::async, [&workers] { workers.stop(); });
  while (dropped < 2) std::this_thread::yield();
  gate.open();
  stopping.wait();
  EXPECT_EQ(run, 0);
  EXPECT_EQ(dropped, 2);
  EXPECT_FALSE(workers.add(job()));
  EXPECT_EQ(dropped, 2);
}

TEST(Workers, DropWhatIsNoLongerWantedWhereTheRoomIsNeeded) {
  Gate gate;
  std::atomic<bool> is_wanted = true;
  std::atomic<int> dropped = 0;
  const auto job = [&] {
    return Workers::Job{
        .run = [] {}, .drop = [&] { ++dropped; }, .is_wanted = [&] { return is_wanted.load(); }};
  };
  Workers workers(1, 2);
  ASSERT_TRUE(workers.add(gate.job()));
  gate.await();
  EXPECT_TRUE(workers.add(job()));
  EXPECT_TRUE(workers.add({.run = [] {}, .drop = [&] { dropped += 100; }}));
  EXPECT_FALSE(workers.add(job()));
  is_wanted = false;
  EXPECT_EQ(dropped, 0);
  EXPECT_TRUE(workers.add(job()));
  EXPECT_EQ(dropped, 1);
  EXPECT_TRUE(workers.add(job()));
  EXPECT_EQ(dropped, 2);
  gate.open();
}

TEST(Workers, TakeAsManyAtOnceAsTheyHaveThreads) {
  Gate first;
  Gate second;
  Workers workers(2, 0);
  while (!workers.add(first.job())) std::this_thread::yield();  // The threads may not be there yet.
  first.await();
  while (!workers.add(second.job())) std::this_thread::yield();
  second.await();
  EXPECT_FALSE(workers.add({.run = [] {}, .drop = [] {}}));
  first.open();
  second.open();
}

TEST(Workers, LetKeysTakeTurns) {
  Gate gate;
  std::vector<std::string> order;
  std::promise<void> done;
  Workers workers(1, 100);
  const auto add = [&](const BudgetKey& key) {
    ASSERT_TRUE(workers.add({.run =
                                 [&, key] {
                                   order.push_back(key.text());
                                   if (order.size() == 13) done.set_value();
                                 },
                             .drop = [] {},
                             .key = key}));
  };
  ASSERT_TRUE(workers.add(gate.job()));
  gate.await();
  for (int i = 0; i < 10; ++i) add("loud");
  add("first");
  add("second");
  add("second");
  EXPECT_TRUE(workers.is_awaited_by_others("loud"));
  EXPECT_EQ(workers.waiting(), 13u);
  gate.open();
  done.get_future().wait();
  EXPECT_EQ(std::vector(order.begin(), order.begin() + 5),
            (std::vector<std::string>{"loud", "first", "second", "loud", "second"}));
  EXPECT_FALSE(workers.is_awaited_by_others("loud"));
}

TEST(Workers, GiveAFreeThreadToTheKeyThatHasTheFewest) {
  Gate loud;
  Gate quiet;
  Gate last;
  std::atomic<int> run = 0;
  Workers workers(2, 100);
  auto first = loud.job();
  first.key = "loud";
  ASSERT_TRUE(workers.add(first));
  loud.await();
  auto next = last.job();
  next.key = "loud";
  auto other = quiet.job();
  other.key = "quiet";
  ASSERT_TRUE(workers.add(other));
  quiet.await();
  ASSERT_TRUE(workers.add(next));
  ASSERT_TRUE(workers.add({.run = [&] { ++run; }, .drop = [] {}, .key = "quiet"}));
  quiet.open();  // One of each key runs or has run: the quiet one has none now, and goes first.
  last.await();
  EXPECT_EQ(run, 1);
  last.open();
  loud.open();
}

TEST(Allowance, GivesNoMoreThanThereIs) {
  Allowance allowance(10);
  EXPECT_TRUE(allowance.take(6));
  EXPECT_FALSE(allowance.take(5));
  EXPECT_TRUE(allowance.take(4));
  EXPECT_FALSE(allowance.take(1));
  EXPECT_TRUE(allowance.take(0));
  EXPECT_FALSE(allowance.take(~std::size_t{0}));
  allowance.give_back(6);
  EXPECT_EQ(allowance.taken(), 4u);
  EXPECT_TRUE(allowance.take(6));
}

}  // namespace
}  // namespace sweepd::runtime::workers_test
