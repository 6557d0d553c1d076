// SPDX-License-Identifier: MIT
//
// Protects matches that move from loop to loop: their ticks keep their times, who waits for something gets
// it, timers go on, and of what the old loop was still to do nothing happens there.
#include <thread>

#include "runtime/loop/loop_timer.h"
#include "unit/runtime/match_host_fixture.h"

namespace sweepd::runtime::match_move_test {
namespace {

/// A second loop beside the fixture's, with the same clock. Neither has a thread: they run in turn.
class MatchMove : public MatchHostTest {
 protected:
  void move_there(MatchHost& host) { matches_.move(host.id(), other_matches_, 1); }
  void move_back(MatchHost& host) { other_matches_.move(host.id(), matches_, 0); }

  /// Both loops, a millisecond at a time.
  void run_both_for(Duration time) {
    for (const TimePoint end = now_ + time; now_ < end; now_ += milliseconds(1)) {
      loop_.run_round();
      other_loop_.run_round();
    }
    loop_.run_round();
    other_loop_.run_round();
  }

  FakePoller other_poller_;
  Loop other_loop_{other_poller_, [this] { return now_; }};
  ResidentMatches other_matches_{other_loop_, registry_, seconds(300)};
};

class MovingSubscriber final : public Subscriber, private ReportSink {
 public:
  explicit MovingSubscriber(MatchHost& host) : host_(host), subscription_(host.watch(*this)) {}

  void tick_has_run() override { host_.collect(subscription_, *this); }
  void match_ended(const MatchHost&) override {}
  void replaced() override {}
  bool is_behind() const override { return behind; }
  void match_moved(std::size_t loop) override { loops.push_back(loop); }

  std::vector<match::Tick> ticks;
  std::vector<std::size_t> loops;
  bool behind = false;

 private:
  void add(const TickReport& report) override { ticks.push_back(report.tick); }
  bool is_full() const override { return false; }

  MatchHost& host_;
  Subscription& subscription_;
};

TEST_F(MatchMove, NoTickIsSkippedOrDoubledHoweverOftenItMoves) {
  match::MatchConfig config = config_with(match::ClockKind::kRealtime);
  config.heartbeat_ticks = 1;
  MatchHost& host = create(config);
  MovingSubscriber subscriber(host);
  for (int i = 0; i < 50; ++i) {
    run_both_for(milliseconds(7));
    move_there(host);
    run_both_for(milliseconds(13));
    move_back(host);
  }
  EXPECT_EQ(host.match().tick(), 100u);
  EXPECT_EQ(host.tick_times().ticks_skipped, 0u);
  EXPECT_LT(host.tick_times().lateness_max, milliseconds(1));
  ASSERT_EQ(subscriber.ticks.size(), 100u);
  for (match::Tick tick = 1; tick <= 100; ++tick) EXPECT_EQ(subscriber.ticks[tick - 1], tick);
  ASSERT_EQ(subscriber.loops.size(), 100u);
  EXPECT_EQ(subscriber.loops[0], 1u);
  EXPECT_EQ(subscriber.loops[1], 0u);
}

TEST_F(MatchMove, ItIsFoundWhereItLivesAndEndsThere) {
  MatchHost& host = create(config_with(match::ClockKind::kRealtime));
  const MatchId id = host.id();
  move_there(host);
  EXPECT_EQ(matches_.find(id), nullptr);
  EXPECT_EQ(other_matches_.find(id), &host);
  EXPECT_EQ(registry_.find(id), 1u);
  host.end();
  EXPECT_EQ(other_matches_.find(id), nullptr);
  EXPECT_EQ(registry_.find(id), std::nullopt);
  run_both_for(milliseconds(2));
}

TEST_F(MatchMove, AStepThatRunsGoesOnThere) {
  MatchHost& host = create(config_with(match::ClockKind::kManual));
  step(host, 5000);
  loop_.run_round();
  const match::Tick before = host.match().tick();
  ASSERT_LT(before, 5000u);
  move_there(host);
  loop_.run_round();
  EXPECT_EQ(host.match().tick(), before) << "the old loop has nothing to do with it any more";
  for (int i = 0; i < 100 && answers_.empty(); ++i) other_loop_.run_round();
  ASSERT_EQ(answers_.size(), 1u);
  EXPECT_EQ(answers_[0]->tick, 5000u);
}

TEST_F(MatchMove, AStepThatWaitsForASubscriberGoesOnAtTheEndOfPatienceThere) {
  MatchHost& host = create(config_with(match::ClockKind::kManual));
  MovingSubscriber subscriber(host);
  subscriber.behind = true;
  step(host, 1);
  run_both_for(milliseconds(2));
  ASSERT_TRUE(answers_.empty());
  move_there(host);
  const auto begin = steady_now();  // Of timers' clock.
  while (answers_.empty() && steady_now() < begin + seconds(20)) {
    loop_.run_round();
    other_loop_.run_round();
  }
  EXPECT_EQ(answers_.size(), 1u);
}

TEST_F(MatchMove, ThePartInTheFiguresGoesAlong) {
  MatchHost& host = create(config_with(match::ClockKind::kRealtime));
  const auto running = [](const Loop& loop) {
    return loop.figures().matches[static_cast<std::size_t>(MatchState::kRunning)].value();
  };
  ASSERT_EQ(running(loop_), 1u);
  move_there(host);
  EXPECT_EQ(running(loop_), 0u);
  EXPECT_EQ(running(other_loop_), 1u);
  EXPECT_EQ(loop_.figures().matches_moved.value(), 1u);
  EXPECT_EQ(other_loop_.figures().matches_created.value(), 0u);
  host.end();
  run_both_for(milliseconds(2));
  EXPECT_EQ(running(other_loop_), 0u);
}

TEST_F(MatchMove, WhatHasMovedRests) {
  MatchHost& host = create(config_with(match::ClockKind::kRealtime));
  run_both_for(seconds(1));
  EXPECT_FALSE(matches_.costs().at(0).is_resting);
  move_there(host);
  EXPECT_TRUE(other_matches_.costs().at(0).is_resting);
  now_ += kMoveRest;
  EXPECT_FALSE(other_matches_.costs().at(0).is_resting);
  EXPECT_EQ(other_matches_.next_after(""), host.id());
  EXPECT_EQ(other_matches_.next_after(host.id()), host.id());
  EXPECT_EQ(matches_.next_after(""), std::nullopt);
}

TEST_F(MatchMove, ATimerThatWasDueAlreadyRunsOnceAndThere) {
  int runs = 0;
  LoopTimer timer(loop_);
  timer.start(Duration::zero(), [&runs] { ++runs; });
  std::this_thread::sleep_for(milliseconds(2));
  timer.move_to(other_loop_);
  for (int i = 0; i < 3; ++i) loop_.run_round();
  EXPECT_EQ(runs, 0);
  for (const auto end = steady_now() + seconds(20); runs == 0 && steady_now() < end;) other_loop_.run_round();
  for (int i = 0; i < 3; ++i) other_loop_.run_round();
  EXPECT_EQ(runs, 1);
}

TEST_F(MatchMove, ATimerThatIsCancelledOrStartedAgainForgetsWhatItWasToDo) {
  std::string ran;
  LoopTimer timer(loop_);
  timer.start(Duration::zero(), [&] { ran += "a"; });
  timer.start(Duration::zero(), [&] { ran += "b"; });
  for (const auto end = steady_now() + seconds(20); ran.empty() && steady_now() < end;) loop_.run_round();
  timer.start(Duration::zero(), [&] { ran += "c"; });
  timer.cancel();
  std::this_thread::sleep_for(milliseconds(2));
  for (int i = 0; i < 3; ++i) loop_.run_round();
  EXPECT_EQ(ran, "b");
}

}  // namespace
}  // namespace sweepd::runtime::match_move_test
