// SPDX-License-Identifier: MIT
//
// Protects players against a server that is killed and started again: their match waits for them, runs no
// tick without them for as long as its config says, and their sessions go on by themselves.
#include <signal.h>

#include "integration/support/fault_proxy.h"
#include "integration/support/server_fixture.h"

namespace sweepd::test::restart_test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class Restart : public ::testing::Test {
 protected:
  void SetUp() override {
    start();
    proxy_.emplace(static_cast<std::uint16_t>(port_), FaultProxy::Plan{});
    direct_.emplace(server_->client());
    ClientOptions options = options_through(*proxy_);
    options.timeout = seconds(1);  // Of each attempt while nothing gets through.
    behind_proxy_.emplace(options);
  }

  void start() {
    const std::vector<std::string> options{"--data-dir", (folder_.path() / "data").string()};
    server_ = std::make_unique<ServerProcess>(options, port_);
    port_ = server_->port();
  }

  void kill() {
    server_->process().signal(SIGKILL);
    ASSERT_EQ(server_->process().wait(), 128 + SIGKILL) << server_->process().standard_error();
  }

  /// A match that ann and bob play, bob behind the proxy, and of which some ticks are on disk.
  void play(std::uint32_t return_timeout_ms) {
    MatchConfig config = shooter_config(ClockKind::kRealtime);
    config.start_after_participants = 2;
    config.waits.return_timeout_ms = return_timeout_ms;
    const auto match = direct_->create_match(config);
    ASSERT_TRUE(match.ok()) << match.status().message();
    match_id_ = match->match_id;
    ann_.emplace(joined(*direct_, match_id_, "ann", Role::kPlayer));
    bob_.emplace(joined(*behind_proxy_, match_id_, "bob", Role::kPlayer, {}));
    ASSERT_TRUE(ann_->end_frame().ok() && bob_->end_frame().ok());
    ASSERT_TRUE(eventually([&] { return ann_->durable_tick() > 10 && bob_->durable_tick() > 10; }));
  }

  MatchInfo get_match() {
    const auto match = direct_->get_match(match_id_);
    EXPECT_TRUE(match.ok()) << match.status().message();
    return match.ok() ? *match : MatchInfo{};
  }

  static bool is_joined(const Session& session) { return session.state() == SessionState::kJoined; }

  TemporaryFolder folder_;
  int port_ = 0;
  std::unique_ptr<ServerProcess> server_;
  std::optional<FaultProxy> proxy_;
  std::optional<Client> direct_;
  std::optional<Client> behind_proxy_;
  std::string match_id_;
  std::optional<Session> ann_;
  std::optional<Session> bob_;
};

TEST_F(Restart, NoTickRunsBeforeThePlayersAreBackAndTheirSessionsGoOnByThemselves) {
  play(600'000);
  proxy_->set_swallowing(true);
  kill();
  ASSERT_TRUE(is_in(*ann_, SessionState::kReconnecting));
  start();
  const Tick tick = get_match().tick;
  EXPECT_GE(tick, 10u);
  ASSERT_TRUE(eventually([&] { return is_joined(*ann_); })) << ann_->error().message();
  // Far longer than a tick takes: bob has noticed that his link is dead by the end of it.
  ASSERT_TRUE(is_in(*bob_, SessionState::kReconnecting));
  EXPECT_EQ(get_match().tick, tick);
  EXPECT_EQ(get_match().state, MatchState::kWaiting);
  EXPECT_EQ(ann_->participants_away().size(), 1u);
  proxy_->set_swallowing(false);
  ASSERT_TRUE(eventually([&] { return is_joined(*bob_); })) << bob_->error().message();
  ASSERT_TRUE(eventually([&] { return ann_->tick() > tick + 10 && bob_->tick() > tick + 10; }));
  EXPECT_EQ(get_match().state, MatchState::kRunning);
  EXPECT_EQ(get_match().participants.size(), 2u);
  EXPECT_TRUE(ann_->participants_away().empty());
}

// Loops have any ports; that of a server which has died is free for the next process that asks for one.
TEST_F(Restart, ASessionIsNotAnsweredByAnotherServerThatHasThePortOfItsLoop) {
  play(600'000);
  const std::uint32_t loop_port = get_match().endpoint.port;
  ASSERT_NE(loop_port, 0u);
  kill();
  const ServerProcess other({}, static_cast<int>(loop_port));
  start();
  ASSERT_TRUE(eventually([&] { return is_joined(*ann_); })) << ann_->error().message();
  EXPECT_NE(get_match().endpoint.port, loop_port);
}

TEST_F(Restart, TheWaitForOneWhoDoesNotComeIsBounded) {
  play(700);
  proxy_->set_swallowing(true);
  kill();
  start();
  const Tick tick = get_match().tick;
  ASSERT_TRUE(eventually([&] { return is_joined(*ann_) && ann_->tick() > tick + 10; }));
  EXPECT_EQ(get_match().state, MatchState::kRunning);
}

TEST_F(Restart, ASecondDeathWhileTheMatchWaitsLosesNothing) {
  play(600'000);
  proxy_->set_swallowing(true);
  kill();
  start();
  const Tick tick = get_match().tick;
  ASSERT_TRUE(eventually([&] { return is_joined(*ann_); })) << ann_->error().message();
  kill();
  start();
  EXPECT_EQ(get_match().tick, tick);
  proxy_->set_swallowing(false);
  ASSERT_TRUE(eventually([&] { return ann_->tick() > tick + 10 && bob_->tick() > tick + 10; }))
      << ann_->error().message() << bob_->error().message();
}

TEST_F(Restart, SessionsOutlastAServerThatIsGoneForLongerThanTenSeconds) {
  play(600'000);
  kill();
  std::this_thread::sleep_for(seconds(12));
  start();
  const Tick tick = get_match().tick;
  EXPECT_TRUE(eventually([&] { return ann_->tick() > tick + 10 && bob_->tick() > tick + 10; }))
      << ann_->error().message() << bob_->error().message();
}

TEST_F(Restart, AMatchWhoseStartIsOverdueStartsOrEndsAsItsConfigSays) {
  for (const StartTimeout outcome : {StartTimeout::kStart, StartTimeout::kEndMatch}) {
    MatchConfig config = shooter_config(ClockKind::kRealtime);
    config.start_after_participants = 2;
    config.waits = {.start_timeout_ms = 300, .on_start_timeout = outcome};
    const auto match = direct_->create_match(config);
    ASSERT_TRUE(match.ok()) << match.status().message();
    Session ann = joined(*direct_, match->match_id, "ann", Role::kPlayer);
    const bool ends = outcome == StartTimeout::kEndMatch;
    EXPECT_TRUE(eventually([&] { return ends ? ann.state() == SessionState::kEnded : ann.tick() > 5; }));
  }
}

}  // namespace
}  // namespace sweepd::test::restart_test
