// SPDX-License-Identifier: MIT
//
// Protects the row that holds many matches' ticks: all of them come out as they went in, and damage costs
// those that it hits and no others.
#include "runtime/journal/group_commit.h"

#include <gtest/gtest.h>

#include <map>

namespace sweepd::runtime::group_commit_test {
namespace {

JournalRecord tick(JournalKey match, match::Tick tick, std::string content) {
  return {match, RecordKind::kTick, tick, std::move(content)};
}

std::vector<JournalRecord> some_records() {
  return {tick(3, 10, "c10"), tick(1, 5, "a5"), tick(3, 11, ""),    {1, RecordKind::kState, 5, "no tick"},
          tick(1, 6, "a6"),   tick(2, 1, "b1"), tick(3, 12, "c12"), tick(1, 9, "a9")};
}

using Run = std::pair<JournalKey, match::Tick>;
using Runs = std::map<Run, std::vector<std::string>>;

Runs runs_of(const GroupCommit& commit, std::vector<CommitDamage>& damage) {
  Runs runs;
  for (const LoggedTicks& ticks : decode_ticks(commit, damage)) {
    auto& run = runs[{ticks.match, ticks.first_tick}];
    for (const auto bytes : split_ticks(ticks)) run.emplace_back(bytes);
    EXPECT_EQ(ticks.first_tick + run.size() - 1, ticks.last_tick);
  }
  return runs;
}

const Runs kAllRuns{
    {{1, 5}, {"a5", "a6"}}, {{1, 9}, {"a9"}}, {{2, 1}, {"b1"}}, {{3, 10}, {"c10", "", "c12"}}};

TEST(GroupCommit, GivesBackTheTicksOfEachMatchInRunsWithoutGaps) {
  const GroupCommit commit = encode_ticks(some_records());
  std::vector<CommitDamage> damage;
  EXPECT_EQ(runs_of(commit, damage), kAllRuns);
  EXPECT_TRUE(damage.empty());
  EXPECT_EQ(commit.directory.size(), kAllRuns.size() * kDirectoryEntryBytes + kDirectorySumBytes);
}

TEST(GroupCommit, HasNothingWhereThereAreNoTicks) {
  EXPECT_TRUE(encode_ticks({{1, RecordKind::kCreated, 0, "x"}}).directory.empty());
  std::vector<CommitDamage> damage;
  EXPECT_TRUE(decode_ticks({}, damage).empty());
  EXPECT_EQ(damage.size(), 1u);  // Such a row is never written.
}

TEST(GroupCommit, EachFlippedBitOfTheContentCostsTheRunThatItIsInAndNamesItsMatch) {
  const GroupCommit commit = encode_ticks(some_records());
  for (std::size_t bit = 0; bit < commit.content.size() * 8; ++bit) {
    GroupCommit damaged = commit;
    damaged.content[bit / 8] = static_cast<char>(damaged.content[bit / 8] ^ (1 << bit % 8));
    std::vector<CommitDamage> damage;
    const Runs runs = runs_of(damaged, damage);
    ASSERT_EQ(damage.size(), 1u) << bit;
    ASSERT_EQ(runs.size(), kAllRuns.size() - 1) << bit;
    for (const auto& [run, ticks] : runs) ASSERT_EQ(ticks, kAllRuns.at(run)) << bit;
    const JournalKey match = damage[0].match;
    ASSERT_TRUE(match >= 1 && match <= 3) << bit;
    std::size_t left = 0;
    std::size_t had = 0;
    for (const auto& [run, ticks] : runs) left += run.first == match ? 1 : 0;
    for (const auto& [run, ticks] : kAllRuns) had += run.first == match ? 1 : 0;
    ASSERT_EQ(left + 1, had) << bit;
  }
}

TEST(GroupCommit, EachFlippedBitOfTheDirectoryCostsItsEntryAndNoOther) {
  const GroupCommit commit = encode_ticks(some_records());
  for (std::size_t bit = 0; bit < commit.directory.size() * 8; ++bit) {
    GroupCommit damaged = commit;
    damaged.directory[bit / 8] = static_cast<char>(damaged.directory[bit / 8] ^ (1 << bit % 8));
    std::vector<CommitDamage> damage;
    const Runs runs = runs_of(damaged, damage);
    ASSERT_EQ(damage.size(), 1u) << bit;
    EXPECT_EQ(damage[0].match, 0u) << bit;  // Whose it was cannot be told.
    auto expected = kAllRuns;
    if (bit / 8 < kAllRuns.size() * kDirectoryEntryBytes)
      expected.erase(
          std::next(expected.begin(), static_cast<std::ptrdiff_t>(bit / 8 / kDirectoryEntryBytes)));
    ASSERT_EQ(runs, expected) << bit;
  }
}

TEST(GroupCommit, WhatIsCutOffIsFound) {
  const GroupCommit commit = encode_ticks(some_records());
  for (std::size_t size = 0; size < commit.directory.size(); ++size) {
    std::vector<CommitDamage> damage;
    const Runs runs = runs_of({commit.directory.substr(0, size), commit.content}, damage);
    const std::size_t entries =
        size < kDirectorySumBytes ? 0 : (size - kDirectorySumBytes) / kDirectoryEntryBytes;
    EXPECT_EQ(runs.size(), entries);
    EXPECT_EQ(damage.size(), 1u) << size;
  }
  for (std::size_t size = 0; size < commit.content.size(); ++size) {
    std::vector<CommitDamage> damage;
    const Runs runs = runs_of({commit.directory, commit.content.substr(0, size)}, damage);
    EXPECT_FALSE(damage.empty()) << size;
    EXPECT_EQ(runs.size() + damage.size(), kAllRuns.size()) << size;
  }
}

}  // namespace
}  // namespace sweepd::runtime::group_commit_test
