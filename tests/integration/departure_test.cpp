// SPDX-License-Identifier: MIT
//
// Protects the others from one who goes: a client that is killed, leaves or stops reading takes its objects
// with it, with the right EXITs, and no other notices more than that.
#include <signal.h>

#include "integration/support/server_fixture.h"

namespace sweepd::test::departure_test {
namespace {

class Departure : public ServerTest {
 protected:
  void SetUp() override {
    ServerTest::SetUp();
    client_.emplace(client());
  }

  /// A match in which a stage has an enemy, seats being kept for so many ticks.
  void begin(std::uint32_t reconnect_ticks) {
    MatchConfig config = shooter_config(ClockKind::kRealtime);
    config.reconnect_ticks = reconnect_ticks;
    match_id_ = client_->create_match(config)->match_id;
    stage_.emplace(joined(*client_, match_id_, "stage", Role::kStage));
    ASSERT_TRUE(stage_->spawn(object_at({0, 0}, 2)).ok());
    ASSERT_TRUE(stage_->end_frame().ok());
  }

  /// Events of the stage's session until one satisfies `condition`.
  bool see(const std::function<bool(const Event&)>& condition) {
    return eventually([&] {
      for (const Event& event : drain(*stage_)) {
        seen_.push_back(event);
        if (condition(event)) return true;
      }
      return false;
    });
  }

  std::optional<Client> client_;
  std::string match_id_;
  std::optional<Session> stage_;
  std::vector<Event> seen_;
};

TEST_F(Departure, AKilledClientsObjectsExitBecauseTheirOwnerLeft) {
  begin(0);
  Process victim({required_environment("SHIP_CLIENT_BINARY"), server().address(), match_id_, "2"},
                 server().folder() / "victim");
  ASSERT_TRUE(see([](const Event& event) { return event.kind == EventKind::kEnter; }))
      << victim.standard_error();
  victim.signal(SIGKILL);
  ASSERT_EQ(victim.wait(), 128 + SIGKILL);
  ASSERT_TRUE(see([](const Event& event) { return event.kind == EventKind::kExit; }));
  EXPECT_EQ(seen_.back().reason, ExitReason::kOwnerLeft);

  const Tick tick = stage_->tick();
  EXPECT_TRUE(eventually([&] { return stage_->tick() > tick + 10; })) << "the match goes on for the others";
  EXPECT_EQ(client_->get_match(match_id_)->participants.size(), 1u);
}

TEST_F(Departure, AKilledClientsObjectsStayForTheReconnectTicks) {
  begin(40);
  Process victim({required_environment("SHIP_CLIENT_BINARY"), server().address(), match_id_, "2"},
                 server().folder() / "victim");
  ASSERT_TRUE(see([](const Event& event) { return event.kind == EventKind::kEnter; }))
      << victim.standard_error();
  victim.signal(SIGKILL);
  ASSERT_EQ(victim.wait(), 128 + SIGKILL);
  Tick away_at = 0;
  ASSERT_TRUE(eventually([&] {
    const auto match = client_->get_match(match_id_);
    away_at = match->tick;
    return match->participants.size() == 2 &&
           (match->participants[0].is_away || match->participants[1].is_away);
  }));
  ASSERT_TRUE(see([](const Event& event) { return event.kind == EventKind::kExit; }));
  EXPECT_EQ(seen_.back().reason, ExitReason::kOwnerLeft);
  EXPECT_LE(seen_.back().tick, away_at + 41);
  EXPECT_EQ(client_->get_match(match_id_)->participants.size(), 1u);
}

TEST_F(Departure, LeavingFreesTheSeatForAnother) {
  begin(36'000);
  for (int i = 0; i < 5; ++i) {
    Session player = joined(*client_, match_id_, "player", Role::kPlayer);
    ASSERT_TRUE(player.spawn(object_at({0, 0}, 0)).ok());
    ASSERT_TRUE(player.end_frame().ok());
    ASSERT_TRUE(see([](const Event& event) { return event.kind == EventKind::kEnter; }));
    if (i % 2 == 0) {
      player.leave();
    } else {
      const Session destroyed = std::move(player);
    }
    ASSERT_TRUE(see([](const Event& event) { return event.reason == ExitReason::kOwnerLeft; }));
    ASSERT_TRUE(eventually([&] { return client_->get_match(match_id_)->participants.size() == 1; }));
  }
}

}  // namespace
}  // namespace sweepd::test::departure_test
