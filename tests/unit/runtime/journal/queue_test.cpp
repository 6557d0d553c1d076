// SPDX-License-Identifier: MIT
//
// Protects the way to the disk: bounded, in order, with positions that grow by one, and nothing more after
// its end.
#include "runtime/journal/journal_queue.h"

#include <gtest/gtest.h>

#include <thread>

namespace sweepd::runtime::queue_test {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t kRecordBytes = sizeof(JournalRecord) + 100;

JournalRecord record(match::Tick tick) { return {1, RecordKind::kTick, tick, std::string(100, 'x')}; }

TEST(JournalQueue, GivesRecordsInOrderAndPositionsFromOneOn) {
  JournalQueue queue(10 * kRecordBytes);
  EXPECT_EQ(queue.push(record(7)), 1u);
  EXPECT_EQ(queue.push(record(8)), 2u);
  const auto group = queue.take(milliseconds(0));
  ASSERT_EQ(group.records.size(), 2u);
  EXPECT_EQ(group.records[0].tick, 7u);
  EXPECT_EQ(group.records[1].tick, 8u);
  EXPECT_EQ(group.last, 2u);
  EXPECT_EQ(queue.push(record(9)), 3u);
}

TEST(JournalQueue, RefusesTheFirstRecordThatDoesNotFitAndTakesNoPositionForIt) {
  JournalQueue queue(3 * kRecordBytes);
  EXPECT_EQ(queue.push(record(1)), 1u);
  EXPECT_EQ(queue.push(record(2)), 2u);
  EXPECT_EQ(queue.push(record(3)), 3u);
  EXPECT_EQ(queue.bytes(), queue.bytes_max());
  EXPECT_EQ(queue.push({}), 0u);
  const auto group = queue.take(milliseconds(0));
  EXPECT_EQ(group.records.size(), 3u);
  queue.written();
  EXPECT_EQ(queue.push(record(4)), 4u);
}

TEST(JournalQueue, WhatWasTakenCountsUntilItIsWritten) {
  JournalQueue queue(2 * kRecordBytes);
  queue.push(record(1));
  queue.push(record(2));
  (void)queue.take(milliseconds(0));
  EXPECT_EQ(queue.bytes(), 2 * kRecordBytes);
  EXPECT_EQ(queue.push(record(3)), 0u);
  queue.written();
  EXPECT_EQ(queue.bytes(), 0u);
  EXPECT_NE(queue.push(record(3)), 0u);
}

TEST(JournalQueue, AfterItIsClosedItGivesWhatWaitsAndThenNothing) {
  JournalQueue queue(10 * kRecordBytes);
  queue.push(record(1));
  queue.close();
  EXPECT_EQ(queue.push(record(2)), 0u);
  EXPECT_EQ(queue.take(std::chrono::hours(1)).records.size(), 1u);
  EXPECT_TRUE(queue.take(std::chrono::hours(1)).records.empty());
}

TEST(JournalQueue, CloseEndsTheWaitForCompany) {
  JournalQueue queue(10 * kRecordBytes);
  std::size_t taken = 0;
  std::thread taker([&] { taken = queue.take(std::chrono::hours(1)).records.size(); });
  queue.push(record(1));
  std::this_thread::sleep_for(milliseconds(20));
  queue.close();
  taker.join();
  EXPECT_EQ(taken, 1u);
}

TEST(JournalQueue, FromManyThreadsEachRecordHasAPositionOfItsOwnAndComesOnce) {
  constexpr std::size_t kThreads = 4;
  constexpr std::size_t kEach = 2'000;
  JournalQueue queue(kThreads * kEach * kRecordBytes);
  std::vector<std::vector<Journal::Position>> positions(kThreads);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      for (std::size_t n = 0; n < kEach; ++n) positions[i].push_back(queue.push(record(i * kEach + n)));
    });
  }
  std::vector<match::Tick> by_position(1);
  while (by_position.size() <= kThreads * kEach) {
    const auto group = queue.take(milliseconds(0));
    for (const JournalRecord& taken : group.records) by_position.push_back(taken.tick);
    EXPECT_EQ(group.last, by_position.size() - 1);
    queue.written();
  }
  for (std::thread& thread : threads) thread.join();
  for (std::size_t i = 0; i < kThreads; ++i) {
    for (std::size_t n = 0; n < kEach; ++n) ASSERT_EQ(by_position.at(positions[i][n]), i * kEach + n);
  }
}

TEST(JournalKeys, AreNeverZeroAndFitIntoASignedNumber) {
  for (int i = 0; i < 1000; ++i) {
    const JournalKey key = random_journal_key();
    EXPECT_NE(key, 0u);
    EXPECT_EQ(key >> 63, 0u);
  }
}

}  // namespace
}  // namespace sweepd::runtime::queue_test
