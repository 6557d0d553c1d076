// SPDX-License-Identifier: MIT
//
// Protects players and watchers against a link that is cut without a word: it is noticed in about a second
// and a half and come back to, and no link is taken for dead because its match stands still.
#include "integration/support/fault_proxy.h"
#include "integration/support/server_fixture.h"

namespace sweepd::test::silent_link_test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using std::chrono::steady_clock;

/// gRPC's own keepalive takes half a minute, and the kernel much longer.
constexpr seconds kSoon{10};

class SilentLink : public ServerTest {
 protected:
  void SetUp() override {
    ServerTest::SetUp();
    proxy_.emplace(static_cast<std::uint16_t>(server().port()), FaultProxy::Plan{});
    ClientOptions options = options_through(*proxy_);
    options.timeout = seconds(2);  // Of each attempt while nothing gets through.
    behind_proxy_.emplace(options);
  }

  std::string create(ClockKind clock, std::uint32_t heartbeat_ticks = 1) {
    MatchConfig config = shooter_config(clock);
    config.heartbeat_ticks = heartbeat_ticks;
    config.reconnect_ticks = 36'000;
    const auto match = client().create_match(config);
    EXPECT_TRUE(match.ok()) << match.status().message();
    return match->match_id;
  }

  /// Cuts the link, waits until `stream` has noticed, and mends it: the stream goes on by itself.
  template <typename Stream>
  void expect_noticed(Stream& stream) {
    const auto cut_at = steady_clock::now();
    proxy_->set_swallowing(true);
    EXPECT_TRUE(is_in(stream, SessionState::kReconnecting, kSoon));
    const auto noticed = std::chrono::duration_cast<milliseconds>(steady_clock::now() - cut_at);
    RecordProperty("noticed_ms", static_cast<int>(noticed.count()));
    EXPECT_GE(stream.silent_for(), milliseconds(1'500));
    proxy_->set_swallowing(false);
    EXPECT_TRUE(eventually([&] { return stream.poll_reconnection().has_value(); }))
        << stream.error().message();
    // A slow machine may be silent for so long once more.
    EXPECT_TRUE(is_in(stream, SessionState::kJoined));
    EXPECT_TRUE(eventually([&] { return stream.silent_for() < milliseconds(1'000); }));
    expect_to_stay(stream);
  }

  /// But for that one time.
  template <typename Stream>
  static void expect_to_stay(Stream& stream) {
    int reconnections = 0;
    for (const auto end = steady_clock::now() + seconds(2); steady_clock::now() < end;) {
      if (stream.poll_reconnection()) ++reconnections;
      std::this_thread::sleep_for(milliseconds(5));
    }
    EXPECT_LE(reconnections, 1);
  }

  /// Nothing is lost, and nothing happens either.
  template <typename Stream>
  void expect_kept(Stream& stream) {
    milliseconds longest{0};
    const auto end = steady_clock::now() + seconds(4);
    while (steady_clock::now() < end) {
      longest = std::max(longest, stream.silent_for());
      std::this_thread::sleep_for(milliseconds(5));
    }
    EXPECT_EQ(stream.state(), SessionState::kJoined);
    EXPECT_FALSE(stream.poll_reconnection());
    EXPECT_LT(longest, milliseconds(1'500));
    RecordProperty("longest_silence_ms", static_cast<int>(longest.count()));
  }

  std::optional<FaultProxy> proxy_;
  std::optional<Client> behind_proxy_;
};

TEST_F(SilentLink, OfAPlayerIsNoticedWhileTicksRun) {
  Session ann = joined(*behind_proxy_, create(ClockKind::kRealtime), "ann", Role::kPlayer, {});
  expect_noticed(ann);
  const Tick tick = ann.tick();
  EXPECT_TRUE(eventually([&] { return ann.tick() > tick; }));
}

TEST_F(SilentLink, OfAPlayerIsNoticedWhileTheMatchIsPaused) {
  const std::string match_id = create(ClockKind::kRealtime);
  Session ann = joined(*behind_proxy_, match_id, "ann", Role::kPlayer, {});
  ASSERT_TRUE(client().control_clock(match_id, {.paused = true}).ok());
  ASSERT_TRUE(eventually([&] { return ann.clock().paused; }));
  expect_noticed(ann);
}

TEST_F(SilentLink, OfAWatcherIsNoticed) {
  Watcher watcher = behind_proxy_->watch(create(ClockKind::kManual));
  ASSERT_TRUE(is_in(watcher, SessionState::kJoined));
  expect_noticed(watcher);
}

TEST_F(SilentLink, StreamsOfMatchesThatStandStillAreKept) {
  const std::string paused = create(ClockKind::kRealtime);
  ASSERT_TRUE(client().control_clock(paused, {.paused = true}).ok());
  Client direct = client();
  Session player = joined(direct, paused, "ann", Role::kPlayer, {});
  expect_kept(player);
  Watcher watcher = direct.watch(create(ClockKind::kManual));
  ASSERT_TRUE(is_in(watcher, SessionState::kJoined));
  expect_kept(watcher);
}

TEST_F(SilentLink, UpdatesThatTicksBringSeldomAreNoSilence) {
  Client direct = client();
  Session ann = joined(direct, create(ClockKind::kRealtime, 3'600), "ann", Role::kPlayer, {});
  expect_kept(ann);
}

TEST_F(SilentLink, WhoIsAwayIsToldAlsoWhileNoTickRuns) {
  const std::string match_id = create(ClockKind::kManual);
  Client direct = client();
  Session ann = joined(direct, match_id, "ann", Role::kPlayer, {});
  {
    Session bob = joined(*behind_proxy_, match_id, "bob", Role::kPlayer, {});
    proxy_->set_swallowing(true);
    EXPECT_TRUE(is_in(bob, SessionState::kReconnecting, kSoon));
  }
  proxy_.reset();  // Only now the server hears that bob's connection is gone.
  EXPECT_TRUE(eventually([&] { return ann.participants_away().size() == 1; }, kSoon));
  EXPECT_EQ(ann.tick(), 0u);
}

}  // namespace
}  // namespace sweepd::test::silent_link_test
