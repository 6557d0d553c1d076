// SPDX-License-Identifier: MIT
//
// Protects the contract between a match and those who follow it: who is told what and when, what makes the
// clock run, how steps are answered, and how a match ends.
#include "runtime/match/match_host.h"

#include <array>

#include "unit/runtime/match_host_fixture.h"

namespace sweepd::runtime::match_host_test {
namespace {

TEST_F(MatchHostTest, ARealtimeMatchTicksAtItsRate) {
  MatchHost& host = create(config_with(match::ClockKind::kRealtime));
  EXPECT_EQ(host.state(), MatchState::kRunning);
  run_for(seconds(1));
  EXPECT_EQ(host.match().tick(), 100u);
}

TEST_F(MatchHostTest, AManualMatchTicksOnlyWhenStepped) {
  MatchHost& host = create(config_with(match::ClockKind::kManual));
  EXPECT_EQ(host.state(), MatchState::kRunning);
  run_for(seconds(1));
  EXPECT_EQ(host.match().tick(), 0u);
}

TEST_F(MatchHostTest, AQuietMatchSendsHeartbeatsOnly) {
  MatchHost& host = create(config_with(match::ClockKind::kManual));
  FakeSubscriber watcher;
  watch(host, watcher);
  step(host, 20);
  run_for(milliseconds(10));
  EXPECT_THAT(watcher.ticks, ElementsAre(6, 12, 18));
  host.leave(watcher);
}

TEST_F(MatchHostTest, EventsGoOutAtOnceAndPutTheHeartbeatOff) {
  MatchHost& host = create(config_with(match::ClockKind::kManual));
  FakeSubscriber player;
  const auto number = join(host, player, "player");
  match::Frame frame = frame_with_spawn(first_id_, 0);
  frame.spawns.push_back(frame_with_spawn(first_id_ + 1, 1).spawns[0]);
  frame.tick = 4;
  host.submit(number, frame);
  step(host, 12);
  run_for(milliseconds(10));
  EXPECT_THAT(player.ticks, ElementsAre(4, 10));
  EXPECT_EQ(player.events, 1u);
  host.leave(player);
}

TEST_F(MatchHostTest, RejectionsGoToTheirParticipantOnly) {
  MatchHost& host = create(config_with(match::ClockKind::kManual));
  FakeSubscriber good;
  FakeSubscriber bad;
  FakeSubscriber watcher;
  join(host, good, "good");
  const auto number = join(host, bad, "bad");
  watch(host, watcher);
  host.submit(number, frame_with_spawn(4'000'000'000u, 0));
  host.refuse(number, match::RejectionReason::kMalformed, 7, "moves.dx", "2 rows");
  step(host, 1);
  run_for(milliseconds(5));
  EXPECT_EQ(bad.rejections, 2u);
  EXPECT_EQ(good.rejections + watcher.rejections, 0u);
  EXPECT_THAT(good.ticks, ElementsAre());
  for (FakeSubscriber* subscriber : {&good, &bad, &watcher}) host.leave(*subscriber);
}

TEST_F(MatchHostTest, TheClockWaitsForTheParticipantsThatWereAskedFor) {
  auto config = config_with(match::ClockKind::kRealtime);
  config.start_after_participants = 2;
  MatchHost& host = create(config);
  FakeSubscriber one;
  FakeSubscriber two;
  const auto first = join(host, one, "one");
  const auto second = join(host, two, "two");
  host.submit(first, {});
  run_for(seconds(1));
  EXPECT_EQ(host.state(), MatchState::kWaiting);
  EXPECT_EQ(host.match().tick(), 0u);
  host.submit(second, {});
  EXPECT_EQ(host.state(), MatchState::kRunning);
  run_for(seconds(1));
  EXPECT_EQ(host.match().tick(), 100u);
  host.leave(one);
  host.leave(two);
}

TEST_F(MatchHostTest, ALongStepRunsToItsEndWhileOtherMatchesKeepTime) {
  MatchHost& realtime = create(config_with(match::ClockKind::kRealtime));
  MatchHost& manual = create(config_with(match::ClockKind::kManual));
  step(manual, 100'000);
  run_for(seconds(1));
  ASSERT_EQ(answers_.size(), 1u);
  EXPECT_EQ(answers_[0]->tick, 100'000u);
  EXPECT_EQ(answers_[0]->digest, manual.match().digest());
  EXPECT_EQ(realtime.match().tick(), 100u);
}

TEST_F(MatchHostTest, StepsAreAnsweredInTheirOrder) {
  MatchHost& host = create(config_with(match::ClockKind::kManual));
  step(host, 1000);
  step(host, 1);
  step(host, 2);
  run_for(milliseconds(50));
  ASSERT_EQ(answers_.size(), 3u);
  EXPECT_EQ(answers_[0]->tick, 1000u);
  EXPECT_EQ(answers_[1]->tick, 1001u);
  EXPECT_EQ(answers_[2]->tick, 1003u);
}

TEST_F(MatchHostTest, AStepThatWaitsRunsEachTickAsItsFramesComeIn) {
  MatchHost& host = create(config_with(match::ClockKind::kManual));
  FakeSubscriber one;
  FakeSubscriber two;
  const auto first = join(host, one, "one");
  const auto second = join(host, two, "two");
  step(host, 2, true);
  run_for(milliseconds(5));
  EXPECT_EQ(host.match().tick(), 0u);
  host.submit(first, {});
  run_for(milliseconds(5));
  EXPECT_EQ(host.match().tick(), 0u);
  host.submit(second, {});
  run_for(milliseconds(5));
  EXPECT_EQ(host.match().tick(), 1u);
  EXPECT_TRUE(answers_.empty());
  host.submit(first, {});
  host.submit(second, {});
  run_for(milliseconds(5));
  ASSERT_EQ(answers_.size(), 1u);
  EXPECT_EQ(answers_[0]->tick, 2u);
  host.leave(one);
  host.leave(two);
}

TEST_F(MatchHostTest, AStepNoLongerWaitsForOneWhoHasLeft) {
  MatchHost& host = create(config_with(match::ClockKind::kManual));
  FakeSubscriber stays;
  FakeSubscriber goes;
  const auto number = join(host, stays, "stays");
  join(host, goes, "goes");
  step(host, 1, true);
  host.submit(number, {});
  host.leave(goes);
  run_for(milliseconds(5));
  EXPECT_EQ(answers_.size(), 1u);
  host.leave(stays);
}

TEST_F(MatchHostTest, OneStepWaitsAtATimeAndCanBeCancelled) {
  MatchHost& host = create(config_with(match::ClockKind::kManual));
  step(host, 1, true);
  step(host, 1, true);
  ASSERT_EQ(answers_.size(), 1u);
  EXPECT_EQ(answers_[0].error(), StepError::kStepInProgress);
  host.cancel_step(1);
  ASSERT_EQ(answers_.size(), 2u);
  EXPECT_EQ(answers_[1].error(), StepError::kCancelled);
  step(host, 1);
  run_for(milliseconds(5));
  EXPECT_EQ(answers_[2]->tick, 1u);
}

TEST_F(MatchHostTest, StepsPastTheQueuesBoundAreRefused) {
  MatchHost& host = create(config_with(match::ClockKind::kManual));
  for (std::size_t i = 0; i < StepQueue::kStepsMax + 1; ++i) step(host, 1);
  ASSERT_EQ(answers_.size(), 1u);
  EXPECT_EQ(answers_[0].error(), StepError::kStepInProgress);
  run_for(milliseconds(50));
  EXPECT_EQ(answers_.size(), StepQueue::kStepsMax + 1);
}

TEST_F(MatchHostTest, ARealtimeMatchCannotBeStepped) {
  step(create(config_with(match::ClockKind::kRealtime)), 1);
  EXPECT_EQ(answers_.at(0).error(), StepError::kClockNotManual);
}

TEST_F(MatchHostTest, StepsWaitForASubscriberThatIsBehindAndGoOnWhenItHasCaughtUp) {
  MatchHost& host = create(config_with(match::ClockKind::kManual));
  FakeSubscriber reader;
  watch(host, reader);
  reader.behind = true;
  step(host, 5);
  run_for(milliseconds(20));
  EXPECT_EQ(host.match().tick(), 0u);
  reader.behind = false;
  host.resume_ticks();
  run_for(milliseconds(20));
  EXPECT_EQ(host.match().tick(), 5u);
  host.leave(reader);
}

TEST_F(MatchHostTest, ASubscriberMayLeaveWhileItIsToldOfATick) {
  MatchHost& host = create(config_with(match::ClockKind::kManual));
  FakeSubscriber leaver;
  FakeSubscriber other;
  const auto number = join(host, leaver, "leaver");
  join(host, other, "other");
  match::Frame frame = frame_with_spawn(first_id_ - 1'048'576, 0);
  frame.spawns.push_back(frame_with_spawn(first_id_ - 1'048'575, 1).spawns[0]);
  host.submit(number, frame);
  leaver.on_tick = [&] { host.leave(leaver); };
  step(host, 3);
  run_for(milliseconds(5));
  EXPECT_THAT(leaver.ticks, ElementsAre(1));
  EXPECT_THAT(other.ticks, ElementsAre(1, 2)) << "its ship goes in the next tick";
  EXPECT_EQ(host.match().participants().size(), 1u);
  host.leave(other);
}

TEST_F(MatchHostTest, TheEndIsToldToAllAndTheMatchIsGone) {
  MatchHost& host = create(config_with(match::ClockKind::kManual));
  FakeSubscriber player;
  const auto number = join(host, player, "player");
  match::Frame frame = frame_with_spawn(first_id_, 0);
  frame.spawns.push_back(frame_with_spawn(first_id_ + 1, 1).spawns[0]);
  host.submit(number, frame);
  step(host, 1);
  run_for(milliseconds(5));
  step(host, 1, true);
  host.end();
  EXPECT_EQ(host.state(), MatchState::kEnded);
  EXPECT_THAT(player.ticks, ElementsAre(1, 2));
  EXPECT_EQ(player.events, 2u);
  EXPECT_TRUE(player.has_ended);
  EXPECT_EQ(answers_.back().error(), StepError::kMatchEnded);
  EXPECT_EQ(matches_.find(place_.id), nullptr);
  EXPECT_FALSE(registry_.find(place_.id));
  run_for(milliseconds(5));
}

TEST_F(MatchHostTest, StepsWaitUntilAllHaveBeenToldSomeAtATimeAndNoOneMissesATick) {
  MatchHost& host = create(config_with(match::ClockKind::kManual));
  FakeSubscriber player;
  const auto number = join(host, player, "player");
  std::array<FakeSubscriber, 3> watchers;
  for (FakeSubscriber& watcher : watchers) {
    watch(host, watcher);
    watcher.on_tick = [this] { now_ += milliseconds(2); };
  }
  submit_event(host, number);
  step(host, 2);
  run_for(milliseconds(2));
  submit_event(host, number);
  run_for(milliseconds(50));
  EXPECT_EQ(answers_.size(), 1u);
  EXPECT_EQ(host.match().tick(), 2u);
  for (const FakeSubscriber& watcher : watchers) EXPECT_EQ(watcher.events, player.events);
  EXPECT_GT(player.events, 0u);
  for (FakeSubscriber& watcher : watchers) host.leave(watcher);
  host.leave(player);
}

// What each is told last may be large: a thousand of them at once would hold the other matches of the loop
// up.
TEST_F(MatchHostTest, TheEndIsToldToPlayersFirstAndToSomeAtATime) {
  MatchHost& host = create(config_with(match::ClockKind::kManual));
  std::array<FakeSubscriber, 4> watchers;
  for (FakeSubscriber& watcher : watchers) watch(host, watcher);
  FakeSubscriber player;
  join(host, player, "player");
  for (FakeSubscriber& watcher : watchers) watcher.on_end = [this] { now_ += milliseconds(2); };
  player.on_end = watchers[0].on_end;
  host.end();
  EXPECT_TRUE(player.has_ended);
  for (const FakeSubscriber& watcher : watchers) {
    EXPECT_TRUE(watcher.is_over);
    EXPECT_FALSE(watcher.has_ended);
  }
  host.forget(watchers[1]);  // It is gone.
  EXPECT_EQ(matches_.find(place_.id), nullptr);
  run_for(milliseconds(20));
  for (const std::size_t i : {0u, 2u, 3u}) {
    EXPECT_TRUE(watchers[i].has_ended) << i;
    EXPECT_THAT(watchers[i].ticks, ElementsAre(1)) << i;
  }
  EXPECT_FALSE(watchers[1].has_ended);
}

TEST_F(MatchHostTest, AMatchThatNobodyFollowsEnds) {
  ResidentMatches impatient(loop_, registry_, milliseconds(1));
  const MatchPlace idle = *registry_.add();
  const MatchPlace followed = *registry_.add();
  impatient.add(idle.id, std::move(*match::Match::create(config_with(match::ClockKind::kRealtime))));
  MatchHost& host =
      impatient.add(followed.id, std::move(*match::Match::create(config_with(match::ClockKind::kRealtime))));
  FakeSubscriber watcher;
  watch(host, watcher);
  while (registry_.find(idle.id)) run_for(milliseconds(1));
  EXPECT_EQ(impatient.find(followed.id), &host);
  host.leave(watcher);
  while (registry_.find(followed.id)) run_for(milliseconds(1));
  EXPECT_FALSE(watcher.has_ended) << "it had left before";
}

}  // namespace
}  // namespace sweepd::runtime::match_host_test
