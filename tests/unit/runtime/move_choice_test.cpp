// SPDX-License-Identifier: MIT
//
// Protects who moves when a loop has too much to do: one match that fits, to whoever has least to do, and
// nothing that would only carry the overload over or come back the next second.
#include "runtime/loop/move_choice.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace sweepd::runtime::move_choice_test {
namespace {

const LoadLimits kLimits{.busy_percent_max = 85};

LoopView busy(double ratio) { return {.load = {.busy_ratio = ratio, .is_overloaded = ratio > 0.85}}; }

MatchCost match_of(const char* id, double ratio, bool is_resting = false) {
  return {.id = id, .busy_ratio = ratio, .is_resting = is_resting};
}

/// "match>loop", or "" where nothing moves.
std::string choice(std::size_t from, const std::vector<LoopView>& loops,
                   const std::vector<MatchCost>& matches) {
  const auto choice = choose_move(from, loops, matches, kLimits);
  return choice ? choice->match.id + ">" + std::to_string(choice->to) : "";
}

TEST(MoveChoice, TheMatchGoesThatLeavesTheBusierLoopWithLeastToDo) {
  const std::vector<MatchCost> matches{match_of("a", 0.05), match_of("b", 0.3), match_of("c", 0.2)};
  EXPECT_EQ(choice(0, {busy(0.9), busy(0.3)}, matches), "b>1");
  EXPECT_EQ(choice(0, {busy(0.9), busy(0.5)}, matches), "c>1");
  EXPECT_EQ(choice(0, {busy(0.9), busy(0.6)}, matches), "a>1");
}

TEST(MoveChoice, ItGoesToTheLeastLoadedLoop) {
  const std::vector<MatchCost> matches{match_of("a", 0.1)};
  EXPECT_EQ(choice(1, {busy(0.4), busy(0.9), busy(0.3), busy(0.5)}, matches), "a>2");
  EXPECT_EQ(choice(1, {busy(0.3), busy(0.9), busy(0.3)}, matches), "a>0") << "of equals the first";
}

TEST(MoveChoice, NothingMovesFromALoopThatIsNotOverloaded) {
  EXPECT_EQ(choice(0, {busy(0.8), busy(0.1)}, {match_of("a", 0.1)}), "");
}

TEST(MoveChoice, NothingMovesWithoutAClearGap) {
  EXPECT_EQ(choice(0, {busy(0.9), busy(0.75)}, {match_of("a", 0.01)}), "");
  EXPECT_EQ(choice(0, {busy(0.9), busy(0.95)}, {match_of("a", 0.01)}), "");
  EXPECT_EQ(choice(0, {busy(0.9)}, {match_of("a", 0.01)}), "");
}

TEST(MoveChoice, AMonsterStaysAndTheSmallOnesBesideItGo) {
  const std::vector<MatchCost> matches{match_of("monster", 0.8), match_of("small", 0.02)};
  EXPECT_EQ(choice(0, {busy(0.9), busy(0.2)}, matches), "small>1");
  EXPECT_EQ(choice(0, {busy(0.9), busy(0.2)}, {match_of("monster", 0.8)}), "");
}

TEST(MoveChoice, TheTargetKeepsRoomBelowWhatMakesItOverloaded) {
  EXPECT_EQ(choice(0, {busy(1), busy(0.4)}, {match_of("a", 0.4)}), "");
  EXPECT_EQ(choice(0, {busy(1), busy(0.4)}, {match_of("a", 0.34)}), "a>1");
}

TEST(MoveChoice, WhatHasJustMovedRestsAndWhatIsNotMeasuredStays) {
  EXPECT_EQ(choice(0, {busy(0.9), busy(0.1)}, {match_of("a", 0.3, true), match_of("b", 0)}), "");
  EXPECT_EQ(choice(0, {busy(0.9), busy(0.1)}, {match_of("a", 0.3, true), match_of("b", 0.1)}), "b>1");
}

TEST(MoveChoice, ALoopThatIsLateWithLittleToDoIsRelievedToo) {
  LoopView late = busy(0.4);
  late.load.is_overloaded = true;
  EXPECT_EQ(choice(0, {late, busy(0.1)}, {match_of("monster", 0.35), match_of("small", 0.05)}), "small>1");
}

TEST(MoveChoice, WhatHasArrivedCountsUntilItHasBeenMeasured) {
  ArrivalLedger ledger(2);
  std::vector<LoadReading> loads{{.busy_ratio = 0.9, .windows = 7}, {.busy_ratio = 0.1, .windows = 5}};
  ledger.add(1, 0.3, loads[1]);
  ledger.add(1, 0.1, loads[1]);
  EXPECT_DOUBLE_EQ(ledger.view(loads)[1].busy_ratio(), 0.5);
  EXPECT_DOUBLE_EQ(ledger.view(loads)[0].busy_ratio(), 0.9);
  loads[1].windows = 6;  // In this window they were there for a part of the time.
  EXPECT_DOUBLE_EQ(ledger.view(loads)[1].busy_ratio(), 0.5);
  loads[1] = {.busy_ratio = 0.5, .windows = 7};
  EXPECT_DOUBLE_EQ(ledger.view(loads)[1].busy_ratio(), 0.5);
}

/// A server as it would go on: each second the readings, and what moves by them.
TEST(MoveChoice, ManyMatchesOnOneLoopSpreadAndThenStay) {
  constexpr std::size_t kMatches = 60;
  constexpr double kCost = 0.016;
  std::vector<std::size_t> loop_of(kMatches, 0);
  std::vector<std::uint64_t> moved_at(kMatches, 0);
  ArrivalLedger ledger(3);
  std::size_t moves = 0;
  std::uint64_t last_move = 0;
  for (std::uint64_t second = 20; second < 300; ++second) {
    std::vector<LoadReading> loads(3);
    for (std::size_t loop = 0; loop < loads.size(); ++loop) {
      const auto matches = static_cast<double>(std::ranges::count(loop_of, loop));
      const double ratio = matches * kCost;
      loads[loop] = {.busy_ratio = ratio, .is_overloaded = ratio > 0.85, .windows = second};
    }
    for (std::size_t from = 0; from < loads.size(); ++from) {
      std::vector<MatchCost> costs;
      for (std::size_t i = 0; i < kMatches; ++i) {
        if (loop_of[i] == from) costs.push_back({std::to_string(i), kCost, second - moved_at[i] < 10});
      }
      const auto choice = choose_move(from, ledger.view(loads), costs, kLimits);
      if (!choice) continue;
      const auto match = static_cast<std::size_t>(std::stoul(choice->match.id));
      loop_of[match] = choice->to;
      moved_at[match] = second;
      ledger.add(choice->to, kCost, loads[choice->to]);
      ++moves;
      last_move = second;
    }
  }
  EXPECT_GT(moves, 5u);
  EXPECT_LT(moves, 20u) << "as many as end the overload, and none back";
  EXPECT_LT(last_move, 60u);
}

}  // namespace
}  // namespace sweepd::runtime::move_choice_test
