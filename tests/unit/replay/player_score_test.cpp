// SPDX-License-Identifier: MIT
//
// Protects leaderboards from players that leave and come back: their rows are added up, and no claim may
// choose the best of them.
#include "replay/player_score.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sweepd::replay {
namespace {

using testing::HasSubstr;

// Ann has come back after a bad start; bob has got the number that ann had first.
const std::vector<match::Score> kScores = {
    {.participant = 1, .name = "ann", .score = 100},
    {.participant = 0, .name = "bob", .score = 7},
    {.participant = 0, .name = "ann", .score = -30, .has_left = true},
    {.participant = 1, .name = "ann", .score = -20, .has_left = true},
};

TEST(PlayerScore, AddsUpTheRowsOfANameUnderAnyNumber) {
  EXPECT_EQ(score_of({.name = "ann"}, kScores), 50);
  EXPECT_EQ(score_of({.name = "bob"}, kScores), 7);
  EXPECT_EQ(score_of({.name = "eve"}, kScores), std::nullopt);
}

TEST(PlayerScore, AddsUpTheRowsOfANameUnderANumber) {
  EXPECT_EQ(score_of({.name = "ann", .participant = 1}, kScores), 80);
  EXPECT_EQ(score_of({.name = "ann", .participant = 0}, kScores), -30);
  EXPECT_EQ(score_of({.name = "bob", .participant = 1}, kScores), std::nullopt);
}

TEST(PlayerScore, HasNoneForANumberThatSeveralHaveHad) {
  EXPECT_EQ(score_of({.participant = 1}, kScores), 80);
  EXPECT_EQ(score_of({.participant = 0}, kScores), std::nullopt);
}

TEST(ClaimFault, RefusesTheBestRowOfAPlayer) {
  const std::vector<match::Score> best = {{.participant = 1, .name = "ann", .score = 100}};
  EXPECT_EQ(find_claim_fault(best, kScores), "\"ann\" claims 100, and has 80");
}

TEST(ClaimFault, TakesOneRowForAllAndAllRows) {
  const std::vector<match::Score> sum = {{.participant = 1, .name = "ann", .score = 80}};
  EXPECT_EQ(find_claim_fault(sum, kScores), "");
  EXPECT_EQ(find_claim_fault(kScores, kScores), "");
  EXPECT_EQ(find_claim_fault({}, kScores), "");
}

TEST(ClaimFault, RefusesRowsOfOthers) {
  const std::vector<match::Score> other = {{.participant = 1, .name = "bob", .score = 7}};
  EXPECT_THAT(find_claim_fault(other, kScores), HasSubstr("\"bob\" claims 7, and has no score"));
}

}  // namespace
}  // namespace sweepd::replay
