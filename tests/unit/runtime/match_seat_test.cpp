// SPDX-License-Identifier: MIT
//
// Protects what becomes of a seat whose stream broke: how long it is kept, who may take it again, and what
// was missed meanwhile.
#include "runtime/match/match_host.h"
#include "unit/runtime/match_host_fixture.h"

namespace sweepd::runtime::match_seat_test {
namespace {

using MatchSeatTest = MatchHostTest;

TEST_F(MatchSeatTest, WhoBreaksOffKeepsItsSeatAndComesBackWithItsToken) {
  MatchHost& host = create(config_with(match::ClockKind::kManual));
  FakeSubscriber other;
  FakeSubscriber first;
  join(host, other, "other");
  const auto number = join(host, first, "ann");
  step_with_event(host, number);
  host.break_off(first);
  EXPECT_TRUE(host.match().find_participant(number)->is_away);
  step(host, 10);
  run_for(milliseconds(5));
  EXPECT_THAT(other.away, ElementsAre(number)) << "the others see it";
  EXPECT_EQ(host.match().object_count(), 2u);

  FakeSubscriber second;
  const auto seating = host.rejoin(second, "ann", token_);
  ASSERT_TRUE(seating);
  EXPECT_EQ(seating->participant.number, number);
  EXPECT_NE(seating->token, token_);
  second.follow(host, seating->subscription);
  EXPECT_FALSE(seating->subscription.is_resumed());
  step_with_event(host, number);
  EXPECT_THAT(second.numbers, ElementsAre(2));
  EXPECT_THAT(other.away, ElementsAre());
  host.leave(second);
  host.leave(other);
}

TEST_F(MatchSeatTest, ATokenIsGoodUntilAFrameSaysThatTheNextHasArrived) {
  MatchHost& host = create(config_with(match::ClockKind::kManual));
  FakeSubscriber first;
  const auto number = join(host, first, "ann");
  const auto come_back = [&](FakeSubscriber& subscriber, const std::string& token) {
    const auto seating = host.rejoin(subscriber, "ann", token);
    if (!seating) return std::string();
    subscriber.follow(host, seating->subscription);
    return seating->token;
  };
  FakeSubscriber second;
  const std::string lost = come_back(second, token_);
  FakeSubscriber third;
  const std::string next = come_back(third, token_);
  EXPECT_NE(next, "") << "the answer to the second stream may have been lost";
  FakeSubscriber fourth;
  EXPECT_EQ(come_back(fourth, lost), "") << "what the third was given takes its place";
  host.submit(number, {});
  EXPECT_EQ(come_back(fourth, token_), "");
  EXPECT_NE(come_back(fourth, next), "");
  host.leave(fourth);
}

TEST_F(MatchSeatTest, LeavingAndJoiningAgainGetsNoNewBytes) {
  match::MatchConfig config = config_with(match::ClockKind::kManual);
  config.limits = {{.role = Role::kPlayer, .bytes_per_second_max = 1'000}};
  MatchHost& host = create(config);
  FakeSubscriber first;
  const auto number = join(host, first, "ann");
  EXPECT_TRUE(host.take_bytes(number, 1'000));
  host.leave(first);
  FakeSubscriber second;
  ASSERT_EQ(join(host, second, "ann"), number);
  EXPECT_FALSE(host.take_bytes(number, 1));
  host.leave(second);
}

TEST_F(MatchSeatTest, ASeatIsItsOwnersAlone) {
  MatchHost& host = create(config_with(match::ClockKind::kManual));
  FakeSubscriber first;
  const auto seating = host.join(first, {"seat", Role::kPlayer}, {}, "alice");
  ASSERT_TRUE(seating.ok());
  const std::string token = seating->token;
  EXPECT_EQ(host.owner_of(seating->participant.number), BudgetKey("alice"));
  EXPECT_EQ(host.seats_of("alice", Role::kPlayer), 1u);
  EXPECT_EQ(host.seats_of("alice", Role::kStage), 0u);
  EXPECT_EQ(host.seats_of("mallory", Role::kPlayer), 0u);
  FakeSubscriber second;
  EXPECT_FALSE(host.rejoin(second, "seat", token, {}, "mallory"));
  EXPECT_FALSE(host.rejoin(second, "seat", token));
  EXPECT_TRUE(host.rejoin(second, "seat", token, {}, "alice"));
  host.leave(second);
  EXPECT_EQ(host.seats_of("alice", Role::kPlayer), 0u);
}

TEST_F(MatchSeatTest, ANewStreamGetsNoNewBudgetOfBytes) {
  auto config = config_with(match::ClockKind::kManual);
  config.limits = {{.role = match::Role::kPlayer, .bytes_per_second_max = 1000}};
  MatchHost& host = create(config);
  FakeSubscriber first;
  const auto number = join(host, first, "ann");
  EXPECT_FALSE(host.take_bytes(number, 1001));
  EXPECT_TRUE(host.take_bytes(number, 1000));
  host.break_off(first);
  FakeSubscriber second;
  const auto seating = host.rejoin(second, "ann", token_);
  ASSERT_TRUE(seating);
  second.follow(host, seating->subscription);
  EXPECT_FALSE(host.take_bytes(number, 1));
  run_for(milliseconds(1));
  EXPECT_TRUE(host.take_bytes(number, 1));
  host.leave(second);
}

TEST_F(MatchSeatTest, AWrongNameOrTokenTakesNoSeat) {
  MatchHost& host = create(config_with(match::ClockKind::kManual));
  FakeSubscriber ann;
  FakeSubscriber bob;
  join(host, ann, "ann");
  const std::string token_of_ann = token_;
  join(host, bob, "bob");
  FakeSubscriber thief;
  EXPECT_FALSE(host.rejoin(thief, "bob", token_of_ann));
  EXPECT_FALSE(host.rejoin(thief, "ann", ""));
  EXPECT_FALSE(host.rejoin(thief, "ann", token_of_ann.substr(1)));
  EXPECT_FALSE(host.rejoin(thief, "carl", token_of_ann));
  EXPECT_FALSE(ann.is_replaced || bob.is_replaced);
  host.leave(ann);
  EXPECT_FALSE(host.rejoin(thief, "ann", token_of_ann)) << "who left has no seat";
  host.leave(bob);
}

TEST_F(MatchSeatTest, AStreamThatStillHasTheSeatIsReplaced) {
  MatchHost& host = create(config_with(match::ClockKind::kManual));
  FakeSubscriber first;
  const auto number = join(host, first, "ann");
  FakeSubscriber second;
  const auto seating = host.rejoin(second, "ann", token_);
  ASSERT_TRUE(seating);
  second.follow(host, seating->subscription);
  EXPECT_TRUE(first.is_replaced);
  step_with_event(host, number);
  EXPECT_EQ(first.events, 0u);
  EXPECT_EQ(second.events, 1u);
  host.leave(second);
}

TEST_F(MatchSeatTest, ASeatIsKeptForItsTicksAndNotOneMore) {
  for (const std::uint32_t ticks : {20u, 21u}) {
    auto config = config_with(match::ClockKind::kManual);
    config.reconnect_ticks = 20;
    MatchHost& host = create(config);
    FakeSubscriber watcher;
    watch(host, watcher);
    FakeSubscriber player;
    const auto number = join(host, player, "ann");
    step_with_event(host, number);
    host.break_off(player);
    step(host, ticks);
    run_for(milliseconds(5));
    FakeSubscriber again;
    const auto seating = host.rejoin(again, "ann", token_);
    EXPECT_EQ(seating.has_value(), ticks == 20) << ticks;
    EXPECT_EQ(host.match().object_count(), ticks == 20 ? 2u : 0u);
    EXPECT_EQ(watcher.events, ticks == 20 ? 1u : 2u);
    EXPECT_EQ(watcher.away.size(), ticks == 20 ? 1u : 0u);
    if (seating) host.leave(again);
    host.leave(watcher);
  }
}

TEST_F(MatchSeatTest, WithoutReconnectTicksASeatIsGoneAtOnce) {
  auto config = config_with(match::ClockKind::kManual);
  config.reconnect_ticks = 0;
  MatchHost& host = create(config);
  FakeSubscriber player;
  join(host, player, "ann");
  host.break_off(player);
  EXPECT_TRUE(host.match().participants().empty());
  EXPECT_FALSE(host.rejoin(player, "ann", token_));
}

TEST_F(MatchSeatTest, ASeatThatWasKeptCanBeGivenUpUnlessItIsTakenAgain) {
  MatchHost& host = create(config_with(match::ClockKind::kManual));
  FakeSubscriber first;
  join(host, first, "ann");
  host.give_up_seat("ann", token_);
  EXPECT_EQ(host.match().participants().size(), 1u) << "somebody sits there";
  host.break_off(first);
  host.give_up_seat("ann", "another token");
  EXPECT_EQ(host.match().participants().size(), 1u);
  host.give_up_seat("ann", token_);
  EXPECT_TRUE(host.match().participants().empty());
}

TEST_F(MatchSeatTest, AStepDoesNotWaitForTheFramesOfWhoIsAway) {
  MatchHost& host = create(config_with(match::ClockKind::kManual));
  FakeSubscriber here;
  FakeSubscriber away;
  const auto number = join(host, here, "here");
  join(host, away, "away");
  step(host, 1, true);
  host.submit(number, {});
  run_for(milliseconds(5));
  EXPECT_TRUE(answers_.empty());
  host.break_off(away);
  run_for(milliseconds(5));
  EXPECT_EQ(answers_.size(), 1u);
  host.leave(here);
}

TEST_F(MatchSeatTest, WhatWasMissedComesOnceWhenAStreamIsResumed) {
  MatchHost& host = create(config_with(match::ClockKind::kManual));
  FakeSubscriber driver;
  const auto number = join(host, driver, "driver");
  FakeSubscriber first;
  watch(host, first);
  for (int i = 0; i < 3; ++i) step_with_event(host, number);
  host.leave(first);
  for (int i = 0; i < 4; ++i) step_with_event(host, number);
  FakeSubscriber second;
  SubscriptionOptions options;
  options.resume = {host.log().epoch(), 3, 3};
  second.follow(host, host.watch(second, options));
  second.collect();
  step_with_event(host, number);
  EXPECT_THAT(first.numbers, ElementsAre(1, 2, 3));
  EXPECT_THAT(second.numbers, ElementsAre(4, 5, 6, 7, 8));
  host.leave(second);
  host.leave(driver);
}

TEST_F(MatchSeatTest, RejectionsOfWhoIsAwayAreToldWhenItIsBack) {
  MatchHost& host = create(config_with(match::ClockKind::kManual));
  FakeSubscriber first;
  const auto number = join(host, first, "ann");
  host.refuse(number, match::RejectionReason::kMalformed, 0, "seen", "");
  step(host, 1);
  run_for(milliseconds(2));
  host.refuse(number, match::RejectionReason::kMalformed, 0, "told but lost on the way", "");
  step(host, 1);
  run_for(milliseconds(2));
  match::Frame waits = frame_with_spawn(4'000'000'000u, 0);
  waits.tick = 5;
  host.submit(number, waits);
  host.break_off(first);
  step(host, 5);
  run_for(milliseconds(5));

  FakeSubscriber second;
  SubscriptionOptions options;
  options.resume = {host.log().epoch(), 0, 1};
  const auto seating = host.rejoin(second, "ann", token_, options);
  ASSERT_TRUE(seating);
  second.follow(host, seating->subscription);
  second.collect();
  EXPECT_THAT(second.rejected_fields, ElementsAre("told but lost on the way", "spawns[0].object_id"));
  host.leave(second);
}

}  // namespace
}  // namespace sweepd::runtime::match_seat_test
