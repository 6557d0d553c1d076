// SPDX-License-Identifier: MIT
//
// Protects players from losing their seats by a crash at any moment around a reconnection, and seats from
// tokens that have ended.
#include "runtime/match/seat_tokens.h"

#include <gtest/gtest.h>

namespace sweepd::runtime::seat_tokens_test {
namespace {

constexpr Journal::Position kWritten = 5;

/// As after a crash in which the journal had these.
SeatTokens back_from(const std::vector<TokenDigest>& digests) { return SeatTokens(digests); }

TEST(SeatTokens, ChangeEachTimeAndTheFormerEndsWhenTheNextHasArrived) {
  auto [tokens, token] = SeatTokens::take();
  for (int i = 0; i < 5; ++i) {
    tokens.note_written(0);
    const std::string next = tokens.take_next(token, 0);
    EXPECT_NE(next, token);
    EXPECT_TRUE(tokens.is_good(token) && tokens.is_good(next));
    EXPECT_TRUE(tokens.confirm());
    EXPECT_FALSE(tokens.confirm()) << "only once";
    EXPECT_FALSE(tokens.is_good(token));
    EXPECT_TRUE(tokens.is_good(next));
    token = next;
  }
}

TEST(SeatTokens, OfAnAnswerThatWasLostAreReplaced) {
  auto [tokens, first] = SeatTokens::take();
  tokens.note_written(0);
  const std::string lost = tokens.take_next(first, 0);
  tokens.note_written(0);
  const std::string next = tokens.take_next(first, 0);
  EXPECT_FALSE(tokens.is_good(lost));
  EXPECT_TRUE(tokens.is_good(first) && tokens.is_good(next));
}

TEST(SeatTokens, AreGivenOutOnlyWhenTheJournalHasThem) {
  auto [tokens, first] = SeatTokens::take();
  EXPECT_EQ(tokens.take_next(first, kWritten), first) << "it is in no record";
  tokens.note_written(kWritten);
  EXPECT_EQ(tokens.take_next(first, kWritten - 1), first) << "its record is not durable";
  EXPECT_TRUE(tokens.is_good(first));
  EXPECT_NE(tokens.take_next(first, kWritten), first);
}

TEST(SeatTokens, OfAParticipantAreKnownAfterACrashAtAnyMoment) {
  auto [tokens, token] = SeatTokens::take();
  std::vector<TokenDigest> durable = tokens.digests();
  tokens.note_written(kWritten);
  const std::string next = tokens.take_next(token, kWritten);
  EXPECT_TRUE(back_from(durable).is_good(token)) << "the answer was lost, and what came after, too";
  EXPECT_TRUE(back_from(durable).is_good(next));
  durable = tokens.digests();
  EXPECT_TRUE(back_from(durable).is_good(token));
  EXPECT_TRUE(back_from(durable).is_good(next));
  EXPECT_EQ(tokens.take_next(next, kWritten), next) << "that after it is not durable";
  EXPECT_TRUE(back_from(durable).is_good(next));
  tokens.confirm();
  EXPECT_TRUE(back_from(tokens.digests()).is_good(next));
  EXPECT_FALSE(back_from(tokens.digests()).is_good(token));
}

TEST(SeatTokens, OfASeatThatWaitsThroughRestartsDoNotBecomeMore) {
  auto [before, token] = SeatTokens::take();
  before.note_written(0);
  token = before.take_next(token, 0);
  SeatTokens tokens = back_from(before.digests());
  EXPECT_EQ(tokens.digests(), before.digests());
  EXPECT_EQ(tokens.take_next(token, 0), token) << "the next is made now";
  tokens.note_written(0);
  EXPECT_NE(tokens.take_next(token, 0), token);
}

}  // namespace
}  // namespace sweepd::runtime::seat_tokens_test
