// SPDX-License-Identifier: MIT
//
// Protects players from a match that goes on without them: one that is back from the journal runs no tick
// before its players and stages are back, or their time is over; one that waits for its first participants
// does so for as long as its config says, and then does what that says.
#include "runtime/match/start_gate.h"

#include "unit/runtime/match_host_fixture.h"

namespace sweepd::runtime::start_gate_test {
namespace {

constexpr match::Tick kTicksBefore = 5;

class StartGateTest : public MatchHostTest {
 protected:
  struct Seat {
    std::string name;
    Role role = Role::kPlayer;
  };

  /// A match of these, in their order, which has run kTicksBefore ticks when its server dies.
  MatchHost& bring_back(const match::MatchConfig& config, const std::vector<Seat>& seats) {
    RecoveredMatch recovered{.match = std::move(*match::Match::create(config))};
    for (const Seat& seat : seats) {
      const auto participant = recovered.match->apply(match::Join{seat.name, seat.role});
      EXPECT_TRUE(participant.ok());
      const ReconnectToken token = ReconnectToken::random();
      tokens_.push_back(token.bytes());
      recovered.state.tokens.push_back({participant->number, token.digest()});
    }
    for (match::Tick tick = 0; tick < kTicksBefore; ++tick) recovered.match->step();
    recovered.state.clock.tick_rate_hz = config.tick_rate_hz;
    place_ = *registry_.add();
    recovered.origin.id = place_.id;
    return matches_.add(std::move(recovered));
  }

  void come_back(MatchHost& host, FakeSubscriber& subscriber, const std::string& name, std::size_t seat) {
    const auto seating = host.rejoin(subscriber, name, tokens_.at(seat));
    ASSERT_TRUE(seating);
    subscriber.follow(host, seating->subscription);
  }

  /// Waits are by the clock of the machine, as all timers of a loop.
  bool eventually(const std::function<bool()>& condition) {
    for (const auto end = steady_now() + seconds(20); !condition();) {
      if (steady_now() > end) return false;
      run_for(milliseconds(1));
    }
    return true;
  }

  std::vector<std::string> tokens_;
  FakeSubscriber ann_;
  FakeSubscriber bob_;
};

match::MatchConfig realtime(std::uint32_t return_timeout_ms = 600'000) {
  auto config = config_with(match::ClockKind::kRealtime);
  config.waits.return_timeout_ms = return_timeout_ms;
  return config;
}

TEST_F(StartGateTest, NoTickRunsBeforeAllPlayersAndStagesAreBack) {
  MatchHost& host = bring_back(realtime(), {{"ann"}, {"bob", Role::kStage}});
  run_for(seconds(2));
  EXPECT_EQ(host.state(), MatchState::kWaiting);
  come_back(host, ann_, "ann", 0);
  run_for(seconds(2));
  EXPECT_EQ(host.state(), MatchState::kWaiting);
  EXPECT_EQ(host.match().tick(), kTicksBefore);
  come_back(host, bob_, "bob", 1);
  EXPECT_EQ(host.state(), MatchState::kRunning);
  run_for(milliseconds(100));
  EXPECT_GE(host.match().tick(), kTicksBefore + 9);
  EXPECT_TRUE(ann_.away.empty() && bob_.away.empty());
  host.leave(ann_);
  host.leave(bob_);
}

TEST_F(StartGateTest, OneWhoIsCutOffAgainMeanwhileIsWaitedForAgain) {
  MatchHost& host = bring_back(realtime(), {{"ann"}, {"bob"}});
  come_back(host, ann_, "ann", 0);
  host.break_off(ann_);
  come_back(host, bob_, "bob", 1);
  run_for(seconds(1));
  EXPECT_EQ(host.match().tick(), kTicksBefore);
  come_back(host, ann_, "ann", 0);
  EXPECT_EQ(host.state(), MatchState::kRunning);
  host.leave(ann_);
  host.leave(bob_);
}

TEST_F(StartGateTest, TheWaitForSeatsEndsWithItsTime) {
  MatchHost& host = bring_back(realtime(30), {{"ann"}, {"bob"}});
  come_back(host, ann_, "ann", 0);
  EXPECT_EQ(host.state(), MatchState::kWaiting);
  EXPECT_TRUE(eventually([&] { return host.state() == MatchState::kRunning; }));
  run_for(milliseconds(100));
  EXPECT_GT(host.match().tick(), kTicksBefore);
  EXPECT_EQ(ann_.away.size(), 1u) << "bob has the rest of his reconnect_ticks";
  host.leave(ann_);
}

TEST_F(StartGateTest, WhoGivesUpTheSeatIsNotWaitedFor) {
  MatchHost& host = bring_back(realtime(), {{"ann"}, {"bob"}});
  come_back(host, ann_, "ann", 0);
  host.give_up_seat("bob", tokens_[1]);
  EXPECT_EQ(host.state(), MatchState::kRunning);
  host.leave(ann_);
}

TEST_F(StartGateTest, ObserversAndSeatsThatAreNotKeptAreNotWaitedFor) {
  EXPECT_EQ(bring_back(realtime(), {{"ann", Role::kObserver}}).state(), MatchState::kRunning);
  auto config = realtime();
  config.reconnect_ticks = 0;
  EXPECT_EQ(bring_back(config, {{"ann"}}).state(), MatchState::kRunning);
}

TEST_F(StartGateTest, AMatchThatIsToldNotToWaitGoesOnAtOnce) {
  EXPECT_EQ(bring_back(realtime(0), {{"ann"}}).state(), MatchState::kRunning);
}

TEST_F(StartGateTest, InLockstepWhoIsAwayHoldsTheTicksUpAfterARestartOnly) {
  auto config = realtime();
  config.clock = match::ClockKind::kLockstep;
  config.lockstep.deadline_ms = 10;
  MatchHost& host = bring_back(config, {{"ann"}});
  run_for(seconds(1));
  EXPECT_EQ(host.match().tick(), kTicksBefore);
  come_back(host, ann_, "ann", 0);
  run_for(milliseconds(50));
  EXPECT_GT(host.match().tick(), kTicksBefore);
  host.leave(ann_);
}

TEST_F(StartGateTest, AMatchThatWasPausedStaysSoWhenAllAreBack) {
  MatchHost& host = bring_back(realtime(), {{"ann"}});
  host.control_clock({.is_paused = true});
  come_back(host, ann_, "ann", 0);
  run_for(seconds(1));
  EXPECT_EQ(host.match().tick(), kTicksBefore);
  host.control_clock({.is_paused = false});
  run_for(milliseconds(100));
  EXPECT_GT(host.match().tick(), kTicksBefore);
  host.leave(ann_);
}

TEST_F(StartGateTest, AMatchThatHadBegunDoesNotWaitForItsStartAgain) {
  auto config = realtime();
  config.start_after_participants = 2;
  MatchHost& host = bring_back(config, {{"ann"}});
  EXPECT_EQ(host.state(), MatchState::kWaiting);
  come_back(host, ann_, "ann", 0);
  EXPECT_EQ(host.state(), MatchState::kRunning);
  host.leave(ann_);
}

TEST_F(StartGateTest, AStartThatIsOverdueIsMadeWithThoseWhoAreThere) {
  auto config = config_with(match::ClockKind::kRealtime);
  config.start_after_participants = 2;
  config.waits.start_timeout_ms = 30;
  MatchHost& host = create(config);
  join(host, ann_, "ann");
  EXPECT_EQ(host.state(), MatchState::kWaiting);
  EXPECT_TRUE(eventually([&] { return host.state() == MatchState::kRunning; }));
  run_for(milliseconds(100));
  EXPECT_GT(host.match().tick(), 0u);
  host.leave(ann_);
}

TEST_F(StartGateTest, ASeatThatSendsNoFramesHoldsUpTheStartForSoLongOnly) {
  auto config = config_with(match::ClockKind::kRealtime);
  config.start_after_participants = 2;
  config.waits.start_timeout_ms = 30;
  MatchHost& host = create(config);
  host.submit(join(host, ann_, "ann"), {});
  join(host, bob_, "bob");
  EXPECT_EQ(host.state(), MatchState::kWaiting);
  EXPECT_TRUE(eventually([&] { return host.state() == MatchState::kRunning; }));
  host.leave(ann_);
  host.leave(bob_);
}

TEST_F(StartGateTest, OrItEndsTheMatch) {
  auto config = config_with(match::ClockKind::kRealtime);
  config.start_after_participants = 2;
  config.waits = {.start_timeout_ms = 30, .on_start_timeout = match::StartTimeout::kEndMatch};
  MatchHost& host = create(config);
  join(host, ann_, "ann");
  EXPECT_TRUE(eventually([&] { return ann_.has_ended; }));
  EXPECT_FALSE(registry_.find(place_.id));
}

TEST_F(StartGateTest, AStartInTimeIsNotUndoneByTheTimeout) {
  auto config = config_with(match::ClockKind::kRealtime);
  config.start_after_participants = 1;
  config.waits = {.start_timeout_ms = 20, .on_start_timeout = match::StartTimeout::kEndMatch};
  MatchHost& host = create(config);
  host.submit(join(host, ann_, "ann"), {});
  const auto end = steady_now() + milliseconds(100);
  while (steady_now() < end) run_for(milliseconds(1));
  EXPECT_EQ(host.state(), MatchState::kRunning);
  host.leave(ann_);
}

}  // namespace
}  // namespace sweepd::runtime::start_gate_test
