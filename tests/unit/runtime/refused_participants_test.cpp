// SPDX-License-Identifier: MIT
//
// Protects the metrics of participants: the ones to whom most was refused are there, after the end of their
// matches, too, and however many break rules, they take no more room.
#include "runtime/match/refused_participants.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace sweepd::runtime::refused_participants_test {
namespace {

std::uint64_t count_of(const RefusedParticipants& refused, const MatchId& match,
                       match::ParticipantNumber number) {
  for (const auto& row : refused.rows())
    if (row.match == match && row.number == number) return row.rejections;
  return 0;
}

TEST(RefusedParticipants, AreTheOnesWithTheMost) {
  RefusedParticipants refused;
  for (match::ParticipantNumber number = 0; number < 100; ++number) refused.note("a", number, 1 + number);
  EXPECT_EQ(refused.rows().size(), RefusedParticipants::kRowsMax);
  EXPECT_EQ(count_of(refused, "a", 99), 100u);
  EXPECT_EQ(count_of(refused, "a", 0), 0u);
  refused.note("b", 1, 2);
  EXPECT_EQ(count_of(refused, "b", 1), 0u) << "less than any other";
}

TEST(RefusedParticipants, HaveOneRowEachThatFollowsTheirCount) {
  RefusedParticipants refused;
  for (std::uint64_t count = 1; count <= 5; ++count) refused.note("a", 7, count);
  EXPECT_EQ(refused.rows().size(), 1u);
  EXPECT_EQ(count_of(refused, "a", 7), 5u);
}

TEST(RefusedParticipants, OfAMatchThatHasEndedStayUntilOthersNeedTheRoom) {
  RefusedParticipants refused;
  for (match::ParticipantNumber number = 0; number < RefusedParticipants::kRowsMax; ++number)
    refused.note("over", number, 1000);
  refused.note_end("over");
  EXPECT_EQ(count_of(refused, "over", 3), 1000u);
  refused.note("running", 1, 1);
  EXPECT_EQ(count_of(refused, "running", 1), 1u) << "however little that is";
  EXPECT_EQ(refused.rows().size(), RefusedParticipants::kRowsMax);
}

}  // namespace
}  // namespace sweepd::runtime::refused_participants_test
