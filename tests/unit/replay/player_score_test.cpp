// SPDX-License-Identifier: MIT
//
// Protects leaderboards from players that leave and come back: their rows are added up, and no claim may
// choose the best of them.
#include "replay/player_score.h"

#include <gtest/gtest.h>

namespace sweepd::replay {
namespace {

// Ann has come back after a bad start; bob has got the number that ann had first.
const std::vector<match::Score> kScores = {
    {.participant = 1, .name = "ann", .score = 100},
    {.participant = 0, .name = "bob", .score = 7},
    {.participant = 0, .name = "ann", .score = -30, .has_left = true},
    {.participant = 1, .name = "ann", .score = -20, .has_left = true},
};

TEST(PlayerScore, AddsUpTheRowsOfANameUnderAnyNumber) {
  EXPECT_EQ(score_of("ann", kScores), 50);
  EXPECT_EQ(score_of("bob", kScores), 7);
  EXPECT_EQ(score_of("eve", kScores), std::nullopt);
}

match::Score claim(match::ParticipantNumber number, const std::string& name, std::int64_t score) {
  return {.participant = number, .name = name, .score = score};
}

TEST(ClaimFault, RefusesTheBestRowsOfAPlayer) {
  const std::vector<match::Score> best = {claim(1, "ann", 100)};
  EXPECT_EQ(find_claim_fault(best, kScores), "\"ann\" claims 100, and has 50");
  const std::vector<match::Score> best_number = {claim(1, "ann", 80)};
  EXPECT_EQ(find_claim_fault(best_number, kScores), "\"ann\" claims 80, and has 50");
}

TEST(ClaimFault, TakesOneRowForAllAndAllRows) {
  EXPECT_EQ(find_claim_fault(std::vector{claim(1, "ann", 50)}, kScores), "");
  EXPECT_EQ(find_claim_fault(std::vector{claim(0, "ann", 50)}, kScores), "");
  EXPECT_EQ(find_claim_fault(kScores, kScores), "");
  EXPECT_EQ(find_claim_fault({}, kScores), "");
}

TEST(ClaimFault, RefusesANumberThatTheNameHasNotHad) {
  EXPECT_EQ(find_claim_fault(std::vector{claim(1, "bob", 7)}, kScores), "\"bob\" claims 7, and has no score");
  EXPECT_EQ(find_claim_fault(std::vector{claim(0, "eve", 0)}, kScores), "\"eve\" claims 0, and has no score");
}

// Else a player pushes out a row of less than nothing with others that come and go.
TEST(ForgottenRows, AreThoseThatAScoreboardLetsGo) {
  match::Scoreboard scoreboard;
  ForgottenRows rows;
  constexpr std::uint32_t kLeave = match::Scoreboard::kFormerScoresMax + 6;
  for (std::uint32_t i = 0; i < kLeave; ++i) {
    const std::string name = "guest " + std::to_string(i);
    for (const std::int64_t points : {-1, 0}) {  // Who has no points has no row.
      scoreboard.join(3, name);
      scoreboard.add(3, points);
      scoreboard.leave(3);
    }
    rows.note(scoreboard.take_changed());
  }
  EXPECT_EQ(rows.count(scoreboard), 6u);
  EXPECT_EQ(find_claim_fault(std::vector{claim(1, "ann", 50)}, kScores, 6),
            "6 further rows of players who left are not listed: no claim can be checked");
  EXPECT_EQ(find_claim_fault({}, kScores, 6), "");
}

}  // namespace
}  // namespace sweepd::replay
