// SPDX-License-Identifier: MIT
//
// Protects matches that move from one loop of the server to another, here all the time: no client that plays,
// follows, asks or steps notices. Every subscriber's log is whole and the same, and so is the replay.
#include <signal.h>

#include <list>
#include <set>
#include <thread>

#include "integration/support/fault_proxy.h"
#include "integration/support/raw_stream.h"
#include "integration/support/seen_log.h"
#include "integration/support/server_fixture.h"

namespace sweepd::test::move_test {
namespace {

constexpr int kBullets = 4;

/// Of a match that is played: a driver whose ship meets bullets and leaves them, two players who share a
/// stream, and two who watch.
struct Arena {
  Arena(Client& client, const std::string& id)
      : match_id(id),
        watcher(client.watch(id)),
        late_watcher(client.watch(id)),
        driver(joined(client, id, "driver", Role::kPlayer)),
        ann(client.join(shared_by("ann"))),
        bob(ann.join_also("bob")) {
    EXPECT_TRUE(eventually(
        [&] { return watcher.state() == SessionState::kJoined && bob.state() == SessionState::kJoined; }));
    ship = *driver.spawn(object_at({1000, 0}, 0));
    for (int i = 0; i < kBullets; ++i) bullet = *driver.spawn(object_at({0, 0}, 3));
    ann_ship = *ann.spawn(object_at({-500, 0}, 0));
    EXPECT_TRUE(bob.spawn(object_at({-900, 0}, 0)).ok());
  }

  JoinOptions shared_by(const std::string& name) const {
    JoinOptions options;
    options.reconnect = patient();
    options.match_id = match_id;
    options.name = name;
    options.shared = true;
    return options;
  }

  void play(int round) {
    EXPECT_TRUE(driver.move(ship, {round % 2 == 0 ? 0.0 : 1000.0, 0}).ok());
    EXPECT_TRUE(driver.claim_hit(bullet, ship, driver.tick()).ok());
    EXPECT_TRUE(driver.end_frame().ok());
    EXPECT_TRUE(ann.move(ann_ship, {round % 3 == 0 ? 0.0 : -500.0, 0}).ok());
    EXPECT_TRUE(ann.end_frames().ok());
    ++claims;
    poll();
  }

  void poll() {
    truth.poll(watcher);
    seen[0].poll(late_watcher);
    seen[1].poll(driver);
    seen[2].poll(ann);
    while (const auto verdict = driver.poll_verdict()) EXPECT_EQ(verdict->number, ++verdicts);
  }

  bool is_everybody(SessionState state) const {
    return watcher.state() == state && late_watcher.state() == state && driver.state() == state &&
           ann.state() == state && bob.state() == state;
  }

  void expect_one_log(const MatchInfo& end) {
    poll();
    for (const SeenLog& log : seen) {
      log.expect_end_of(truth);
      EXPECT_EQ(log.reconnections, 0u);
    }
    EXPECT_EQ(truth.reconnections, 0u);
    EXPECT_EQ(truth.first - 1 + truth.lines.size(), end.events);
    EXPECT_EQ(watcher.digest(), end.digest);
    EXPECT_EQ(late_watcher.digest(), end.digest);
    EXPECT_EQ(driver.digest(), end.digest);
    EXPECT_EQ(ann.digest(), end.digest);
    EXPECT_FALSE(driver.poll_rejection());
    EXPECT_FALSE(ann.poll_rejection());
  }

  std::string match_id;
  Watcher watcher;
  Watcher late_watcher;
  Session driver;
  Session ann;
  Session bob;
  ObjectId ship = 0;
  ObjectId bullet = 0;
  ObjectId ann_ship = 0;
  std::uint32_t claims = 0;
  std::uint32_t verdicts = 0;
  SeenLog truth;
  SeenLog seen[3];
};

class MatchMoves : public ServerTest {
 protected:
  void SetUp() override { start_moving({}); }

  void start_moving(const std::vector<std::string>& further) {
    std::vector<std::string> options{"--loops", "2", "--move-matches-every-ms", "3"};
    options.insert(options.end(), further.begin(), further.end());
    start(options);
    client_.emplace(client());
  }

  void stop() {
    server().process().signal(SIGTERM);
    ASSERT_EQ(server().process().wait(), 0) << server().process().standard_error();
  }

  void TearDown() override {
    EXPECT_TRUE(eventually([&] {
      return server().process().standard_error().find("match moved to another loop") != std::string::npos;
    }));
    ServerTest::TearDown();
  }

  std::string create(ClockKind clock) {
    MatchConfig config = shooter_config(clock);
    config.tick_rate_hz = 100;
    config.reconnect_ticks = 36'000;
    config.retained_ticks = 36'000;
    const auto match = client_->create_match(config);
    EXPECT_TRUE(match.ok()) << match.status().message();
    return match->match_id;
  }

  /// All that can be asked of a match that is played.
  void ask(Arena& arena) {
    const auto match = client_->get_match(arena.match_id);
    ASSERT_TRUE(match.ok()) << match.status().message();
    ports_.insert(match->endpoint.port);
    EXPECT_TRUE(client_->list_encounters(arena.match_id).ok());
    EXPECT_TRUE(client_->get_world(arena.match_id).ok());
    EXPECT_TRUE(client_->find_nearest(arena.match_id, {0, 0}).ok());
    HitClaim claim;
    claim.shot = arena.bullet;
    claim.target = arena.ship;
    claim.tick_seen = match->tick;
    const std::vector<HitClaim> claims(600, claim);  // More than a slice.
    const auto verdicts = client_->validate_hits(arena.match_id, arena.driver.participant()->number, claims);
    ASSERT_TRUE(verdicts.ok()) << verdicts.status().message();
    EXPECT_EQ(verdicts->size(), claims.size());
  }

  std::optional<Client> client_;
  std::set<std::uint32_t> ports_;  ///< Of the endpoints that matches have said.
};

TEST_F(MatchMoves, EverySubscriberSeesTheSameLogAndTheReplayHasIt) {
  const TemporaryFolder data;
  stop();
  start_moving({"--data-dir", data.path().string()});
  std::list<Arena> arenas;
  for (int i = 0; i < 3; ++i) arenas.emplace_back(*client_, create(ClockKind::kRealtime));
  for (int round = 0; round < 300; ++round) {
    for (Arena& arena : arenas) arena.play(round);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    if (round % 10 != 0) continue;
    for (Arena& arena : arenas) {
      ask(arena);
      ASSERT_TRUE(eventually([&] { return arena.is_everybody(SessionState::kJoined); }));
    }
    const auto matches = client_->list_matches();
    ASSERT_TRUE(matches.ok()) << matches.status().message();
    EXPECT_EQ(matches->size(), arenas.size());
    // Guests come and go, on connections that know nothing of endpoints.
    Client other = server().client(false);
    Session guest = joined(other, arenas.front().match_id, "guest", Role::kPlayer);
    Watcher visitor = other.watch(arenas.back().match_id);
    EXPECT_TRUE(guest.spawn(object_at({0, 0}, 0)).ok());
    EXPECT_TRUE(guest.end_frame().ok());
    EXPECT_TRUE(is_in(visitor, SessionState::kJoined));
    guest.leave();
    // Whose seat has to be free before the next one comes by the same name.
    EXPECT_TRUE(
        eventually([&] { return client_->get_match(arenas.front().match_id)->participants.size() == 3; }));
  }
  for (Arena& arena : arenas) {
    EXPECT_TRUE(eventually([&] {
      arena.poll();
      return arena.verdicts == arena.claims;
    })) << arena.verdicts
        << " of " << arena.claims << " verdicts";
    const auto end = client_->end_match(arena.match_id);
    ASSERT_TRUE(end.ok()) << end.status().message();
    ASSERT_TRUE(eventually([&] { return arena.is_everybody(SessionState::kEnded); }));
    arena.expect_one_log(*end);
    const std::string path = (data.path() / "match.swpr").string();
    const auto replay = client_->get_replay(arena.match_id, path);
    ASSERT_TRUE(replay.ok()) << replay.status().message();
    const auto verification = client_->verify_replay_file(path);
    ASSERT_TRUE(verification.ok()) << verification.status().message();
    EXPECT_EQ(verification->verdict, ReplayVerdict::kVerified) << verification->what;
    EXPECT_EQ(verification->final_digest, end->digest);
  }
  EXPECT_EQ(ports_.size(), 2u) << "a match says where it lives now";
}

TEST_F(MatchMoves, StepsRunToTheirEndAndThoseThatAreGivenUpLeaveNothingBehind) {
  const std::string match_id = create(ClockKind::kManual);
  Session player = joined(*client_, match_id, "player", Role::kPlayer);
  Watcher watcher = client_->watch(match_id);
  ASSERT_TRUE(is_in(watcher, SessionState::kJoined));
  Tick tick = 0;
  for (int i = 0; i < 200; ++i) {
    ASSERT_TRUE(player.end_frame(tick + 1).ok());
    const auto step = client_->step_match(match_id, 1, true);
    ASSERT_TRUE(step.ok()) << step.status().message();
    ASSERT_EQ(step->tick, ++tick);
  }
  const auto step = client_->step_match(match_id, 20'000);
  ASSERT_TRUE(step.ok()) << step.status().message();
  EXPECT_EQ(step->tick, tick + 20'000);
  EXPECT_TRUE(eventually([&] { return watcher.tick() == step->tick && player.tick() == step->tick; }));
  EXPECT_EQ(watcher.digest(), step->digest);
  ClientOptions hasty;
  hasty.server = server().address();
  hasty.timeout = std::chrono::milliseconds(20);
  Client impatient(hasty);
  for (int i = 0; i < 30; ++i) {
    // One waits at a time: had the last not been taken back, this one would be refused for ever.
    std::string reason;
    EXPECT_TRUE(eventually([&] {
      const auto step = impatient.step_match(match_id, 1, true);
      reason = step.status().reason();
      return step.status().code() == ErrorCode::kDeadlineExceeded;
    })) << reason;
  }
}

TEST_F(MatchMoves, AllMatchesAreListedWhereverTheyAre) {
  std::set<std::string> ids;
  for (int i = 0; i < 20; ++i) ids.insert(create(i % 2 == 0 ? ClockKind::kManual : ClockKind::kRealtime));
  for (int i = 0; i < 200; ++i) {
    const auto matches = client_->list_matches();
    ASSERT_TRUE(matches.ok()) << matches.status().message();
    std::set<std::string> listed;
    for (const MatchInfo& match : *matches) listed.insert(match.match_id);
    ASSERT_EQ(listed, ids);
  }
}

TEST_F(MatchMoves, WhoeverLosesTheConnectionComesBackToTheWholeLog) {
  const std::string match_id = create(ClockKind::kRealtime);
  Arena arena(*client_, match_id);
  FaultProxy proxy(static_cast<std::uint16_t>(server().port()),
                   {.seed = 7, .bytes_min = 1, .bytes_max = 6000});
  Client broken(options_through(proxy));
  const ReconnectOptions reconnect{std::chrono::seconds(60), std::chrono::milliseconds(5),
                                   std::chrono::milliseconds(20)};
  JoinOptions join;
  join.match_id = match_id;
  join.name = "cut off";
  join.reconnect = reconnect;
  Session session = broken.join(join);
  WatchOptions watch;
  watch.match_id = match_id;
  watch.reconnect = reconnect;
  Watcher watcher = broken.watch(watch);
  ASSERT_TRUE(eventually(
      [&] { return session.state() == SessionState::kJoined && watcher.state() == SessionState::kJoined; }));
  SeenLog of_session, of_watcher;
  proxy.set_cutting(true);
  int round = 0;
  ASSERT_TRUE(eventually(
      [&] {
        arena.play(round++);
        (void)session.end_frame();
        of_session.poll(session);
        of_watcher.poll(watcher);
        std::this_thread::sleep_for(std::chrono::milliseconds(8));
        return of_session.reconnections + of_watcher.reconnections >= 60;
      },
      std::chrono::seconds(120)));
  proxy.set_cutting(false);
  // Who hears of what happens from now on has a connection that lasts: no state says so, the last cut may not
  // have been noticed yet.
  const Tick now = client_->get_match(match_id)->tick;
  ASSERT_TRUE(eventually([&] { return session.tick() > now && watcher.tick() > now; }));
  const auto end = client_->end_match(match_id);
  ASSERT_TRUE(end.ok()) << end.status().message();
  ASSERT_TRUE(eventually([&] {
    return session.state() == SessionState::kEnded && watcher.state() == SessionState::kEnded &&
           arena.is_everybody(SessionState::kEnded);
  })) << session.error().message()
      << watcher.error().message();
  arena.expect_one_log(*end);
  of_session.poll(session);
  of_watcher.poll(watcher);
  of_session.expect_end_of(arena.truth);
  of_watcher.expect_end_of(arena.truth);
}

TEST_F(MatchMoves, WhoLeavesByClosingItsSideGivesUpItsSeatWhereverTheMatchHasGone) {
  const std::string match_id = create(ClockKind::kRealtime);
  const auto stub =
      v1::MatchService::NewStub(grpc::CreateChannel(server().address(), grpc::InsecureChannelCredentials()));
  for (int i = 0; i < 20; ++i) {
    RawStream stream(*stub);
    stream.joined(match_id, "guest");
    stream.half_close();
    while (stream.read()) continue;
    EXPECT_TRUE(stream.finish().ok());
    EXPECT_TRUE(eventually([&] { return client_->get_match(match_id)->participants.empty(); }));
  }
}

TEST_F(MatchMoves, AMatchThatNobodyFollowsStillEnds) {
  stop();
  start_moving({"--idle-match-timeout-s", "1"});
  for (int i = 0; i < 5; ++i) create(ClockKind::kRealtime);
  EXPECT_TRUE(eventually([&] { return client_->list_matches()->empty(); }));
}

TEST_F(MatchMoves, TheServerStopsInTheMiddleAndTellsEverybody) {
  for (int i = 0; i < 3; ++i) {
    std::list<Arena> arenas;
    for (int match = 0; match < 4; ++match) arenas.emplace_back(*client_, create(ClockKind::kRealtime));
    const std::string manual = create(ClockKind::kManual);
    for (int round = 0; round < 20; ++round) {
      for (Arena& arena : arenas) arena.play(round);
      EXPECT_TRUE(client_->step_match(manual, 3).ok());
    }
    stop();
    for (Arena& arena : arenas) {
      ASSERT_TRUE(eventually([&] { return arena.is_everybody(SessionState::kFailed); }));
      EXPECT_EQ(arena.driver.error().reason(), "SERVER_SHUTTING_DOWN");
      EXPECT_EQ(arena.ann.error().reason(), "SERVER_SHUTTING_DOWN");
      EXPECT_EQ(arena.watcher.error().reason(), "SERVER_SHUTTING_DOWN");
    }
    start_moving({});
  }
  create(ClockKind::kManual);
}

}  // namespace
}  // namespace sweepd::test::move_test
