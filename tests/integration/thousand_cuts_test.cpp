// SPDX-License-Identifier: MIT
//
// Protects the log on the worst of networks: sessions and watchers whose connections are cut a thousand
// times, at random bytes, still see exactly what the server decided, no event lost and none twice; and what
// they do still arrives.
#include <map>

#include "integration/support/fault_proxy.h"
#include "integration/support/seen_log.h"
#include "integration/support/server_fixture.h"

namespace sweepd::test::thousand_cuts_test {
namespace {

constexpr std::size_t kCuts = 1000;
constexpr int kBullets = 6;

class ThousandCuts : public ServerTest {
 protected:
  void create() {
    MatchConfig config = shooter_config(ClockKind::kRealtime);
    config.tick_rate_hz = 100;
    config.reconnect_ticks = 36'000;
    config.retained_ticks = 36'000;
    match_id_ = direct_.emplace(client()).create_match(config)->match_id;
    driver_.emplace(joined(*direct_, match_id_, "driver", Role::kPlayer));
    ship_ = *driver_->spawn(object_at({1000, 0}, 0));
    for (int i = 0; i < kBullets; ++i) ASSERT_TRUE(driver_->spawn(object_at({0, 0}, 3)).ok());
    ASSERT_TRUE(driver_->end_frame().ok());
  }

  /// The driver's ship meets all bullets, or leaves them.
  void drive() {
    is_in_contact_ = !is_in_contact_;
    ASSERT_TRUE(driver_->move(ship_, {is_in_contact_ ? 0.0 : 1000.0, 0}).ok());
    ASSERT_TRUE(driver_->end_frame().ok());
    while (driver_->poll_event()) continue;
  }

  std::optional<Client> direct_;
  std::string match_id_;
  std::optional<Session> driver_;
  ObjectId ship_ = 0;
  bool is_in_contact_ = false;
};

TEST_F(ThousandCuts, EverySubscriberSeesTheServersLog) {
  create();
  WatchOptions whole{.match_id = match_id_};
  whole.reconnect = patient();
  Watcher unbroken = direct_->watch(whole);
  ASSERT_TRUE(is_in(unbroken, SessionState::kJoined));
  SeenLog truth;
  const auto port =
      static_cast<std::uint16_t>(std::stoi(server().address().substr(server().address().find(':') + 1)));
  FaultProxy proxy(port, {.seed = 7, .bytes_min = 1, .bytes_max = 6000});
  Client broken(options_through(proxy));
  ReconnectOptions reconnect = patient();
  reconnect.timeout = std::chrono::seconds(60);
  reconnect.first_pause = std::chrono::milliseconds(5);
  reconnect.longest_pause = std::chrono::milliseconds(20);
  std::vector<Watcher> watchers;
  std::vector<Session> sessions;
  std::vector<ObjectId> ships;
  for (int i = 0; i < 6; ++i) {
    WatchOptions watch;
    watch.match_id = match_id_;
    watch.reconnect = reconnect;
    watchers.push_back(broken.watch(watch));
    JoinOptions join;
    join.match_id = match_id_;
    join.name = "player " + std::to_string(i);
    join.reconnect = reconnect;
    sessions.push_back(broken.join(join));
    ASSERT_TRUE(eventually([&] {
      return watchers.back().state() == SessionState::kJoined &&
             sessions.back().state() == SessionState::kJoined;
    }));
    ships.push_back(*sessions.back().spawn(object_at({-1000.0 - 100 * i, 0}, 0)));
    ASSERT_TRUE(sessions.back().end_frame().ok());
  }
  ASSERT_TRUE(
      eventually([&] { return direct_->get_match(match_id_)->objects == 1 + kBullets + ships.size(); }));

  std::map<const void*, SeenLog> seen;
  const auto poll = [&] {
    truth.poll(unbroken);
    for (Watcher& watcher : watchers) seen[&watcher].poll(watcher);
    for (Session& session : sessions) seen[&session].poll(session);
  };
  const auto reconnections = [&] {
    std::size_t count = 0;
    for (const auto& [subscriber, log] : seen) count += log.reconnections;
    return count;
  };
  proxy.set_cutting(true);
  int round = 0;
  ASSERT_TRUE(eventually(
      [&] {
        drive();
        for (std::size_t i = 0; i < sessions.size(); ++i) {  // They play on, connected or not.
          EXPECT_TRUE(sessions[i]
                          .move(ships[i], {-1000.0 - 100.0 * static_cast<double>(i), 1.0 * (round % 50)})
                          .ok());
          const Status status = sessions[i].end_frame();
          EXPECT_TRUE(status.ok() || status.code() == ErrorCode::kQueueFull) << status.message();
        }
        ++round;
        poll();
        std::this_thread::sleep_for(std::chrono::milliseconds(8));
        return reconnections() >= kCuts;
      },
      std::chrono::seconds(400)))
      << proxy.cuts() << " cuts, " << reconnections() << " reconnections";
  proxy.set_cutting(false);
  for (Session& session : sessions) {
    ASSERT_TRUE(eventually([&] {
      return session.state() == SessionState::kJoined && session.unsent_frames() == 0;
    })) << session.error().message();
  }
  for (Watcher& watcher : watchers) {
    ASSERT_TRUE(is_in(watcher, SessionState::kJoined)) << watcher.error().message();
  }
  // What is sent now arrives where it is meant, on whichever stream it goes out.
  for (std::size_t i = 0; i < sessions.size(); ++i) {
    EXPECT_TRUE(eventually([&] {
      // Again and again: the last cut may have taken one with it.
      EXPECT_TRUE(sessions[i].move(ships[i], {0, 0}).ok());
      (void)sessions[i].end_frame();
      return direct_->list_encounters(match_id_, ships[i])->size() == kBullets;
    })) << ships[i];
  }
  ASSERT_TRUE(direct_->end_match(match_id_).ok());
  for (Watcher& watcher : watchers) ASSERT_TRUE(is_in(watcher, SessionState::kEnded));
  for (Session& session : sessions) ASSERT_TRUE(is_in(session, SessionState::kEnded));
  ASSERT_TRUE(is_in(unbroken, SessionState::kEnded));
  poll();

  for (const auto& [subscriber, log] : seen) log.expect_end_of(truth);
  std::printf("%zu cuts, %zu reconnections, %zu events, 12 subscribers\n", proxy.cuts(), reconnections(),
              truth.lines.size());
}

}  // namespace
}  // namespace sweepd::test::thousand_cuts_test
