// SPDX-License-Identifier: MIT
//
// Protects servers behind firewalls and port mappings: with one public port everything works, with any
// endpoints of loops, and what cannot be reached costs a client a second, once.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <functional>
#include <set>

#include "integration/support/fault_proxy.h"
#include "integration/support/server_fixture.h"

namespace sweepd::test::one_port_test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using std::chrono::steady_clock;

/// A port on loopback whose packets are dropped, as a firewall does: its queue of connections is full.
class DroppedPort {
 public:
  explicit DroppedPort(const char* host) {
    address_.sin_family = AF_INET;
    inet_pton(AF_INET, host, &address_.sin_addr);
    listener_ = open();
    socklen_t size = sizeof address_;
    EXPECT_EQ(bind(listener_, raw(), size), 0);
    EXPECT_EQ(listen(listener_, 0), 0);
    EXPECT_EQ(getsockname(listener_, raw(), &size), 0);
    for (int& filler : fillers_) {
      filler = open();
      connect(filler, raw(), sizeof address_);  // It may or may not find room; the later ones do not.
    }
  }
  ~DroppedPort() {
    for (const int filler : fillers_) close(filler);
    close(listener_);
  }
  DroppedPort(const DroppedPort&) = delete;
  DroppedPort& operator=(const DroppedPort&) = delete;

  int port() const { return ntohs(address_.sin_port); }

 private:
  static int open() { return socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0); }
  sockaddr* raw() { return reinterpret_cast<sockaddr*>(&address_); }

  sockaddr_in address_{};
  int listener_ = -1;
  int fillers_[8] = {};
};

class OnePort : public ServerTest {
 protected:
  void SetUp() override {}

  /// A server of two loops, of which clients reach the main port alone, under another number.
  void start_behind_mapping(std::vector<std::string> options) {
    options.insert(options.end(), {"--loops", "2"});
    start(options);
    mapping_.emplace(static_cast<std::uint16_t>(server().port()), FaultProxy::Plan{});
    ClientOptions client_options;
    client_options.server = mapping_->address();
    client_options.timeout = seconds(10);
    client_.emplace(client_options);
  }

  MatchInfo create(ClockKind clock = ClockKind::kRealtime) {
    MatchConfig config = shooter_config(clock);
    config.reconnect_ticks = 36'000;
    const auto match = client_->create_match(config);
    EXPECT_TRUE(match.ok()) << match.status().message();
    return *match;
  }

  /// How long it took until the session was joined, and ticks came.
  milliseconds join(const MatchInfo& match, const std::string& name, std::optional<Session>& session,
                    const ReconnectOptions& reconnect = patient()) {
    const auto begin = steady_clock::now();
    session.emplace(joined(*client_, match.match_id, name, Role::kPlayer, reconnect));
    const auto time = std::chrono::duration_cast<milliseconds>(steady_clock::now() - begin);
    EXPECT_TRUE(eventually([&] { return session->tick() > 0; })) << session->error().message();
    return time;
  }

  /// Joins new matches until those of both loops were among them, six at least; a loop that is busier than
  /// the other gets none for a while. The ports that were told; `bound` says how long each of the first six
  /// joins may take, by whether its port was told before.
  std::set<std::uint32_t> join_on_both_loops(const std::function<milliseconds(bool)>& bound) {
    std::set<std::uint32_t> ports;
    for (int i = 0; i < 6 || (i < 100 && ports.size() < 2); ++i) {
      const MatchInfo match = create();
      const bool is_known = !ports.insert(match.endpoint.port).second;
      std::optional<Session> ann;
      const milliseconds time = join(match, "ann", ann);
      if (i < 6) {
        EXPECT_LT(time, bound(is_known));
      }
    }
    return ports;
  }

  /// Both loops get matches, and everything that streams do is done.
  void expect_everything_works(milliseconds bound) {
    for (int i = 0; i < 4; ++i) {
      const MatchInfo match = create();
      std::optional<Session> ann;
      EXPECT_LT(join(match, "ann", ann), bound);
      Watcher watcher = client_->watch(match.match_id);
      EXPECT_TRUE(eventually([&] { return watcher.tick() > 0; })) << watcher.error().message();
      EXPECT_TRUE(client_->get_world(match.match_id).ok());
      EXPECT_TRUE(client_->end_match(match.match_id).ok());
      EXPECT_TRUE(is_in(*ann, SessionState::kEnded));
    }
  }

  std::optional<FaultProxy> mapping_;
  std::optional<Client> client_;
};

TEST_F(OnePort, WithoutLoopPortsClientsAreToldTheAddressThatTheyKnow) {
  start_behind_mapping({"--no-loop-ports"});
  EXPECT_EQ(create().endpoint.port, 0u);
  expect_everything_works(milliseconds(900));
}

TEST_F(OnePort, ThePublicAddressIsToldInPlaceOfTheOneItListensOn) {
  start_behind_mapping({"--advertise", "game.example:31777"});
  const MatchInfo match = create();
  EXPECT_EQ(match.endpoint.host, "game.example");
  EXPECT_EQ(match.endpoint.port, 31'777u);
}

TEST_F(OnePort, WithAPortBaseLoopsAreToldAsThePublicHostAndTheirPorts) {
  const int base = free_port_base(2);
  start_behind_mapping({"--advertise", "127.0.0.1:31777", "--loop-port-base", std::to_string(base)});
  EXPECT_EQ(create().endpoint.host, "127.0.0.1");
  const auto ports = join_on_both_loops([](bool) { return milliseconds(10'000); });
  EXPECT_EQ(ports, (std::set<std::uint32_t>{static_cast<std::uint32_t>(base),
                                            static_cast<std::uint32_t>(base + 1)}));
}

TEST_F(OnePort, PortsOfLoopsThatRefuseAreGoneRoundWithinASecondAndRemembered) {
  // Loops listen on 127.0.0.1 alone.
  start_behind_mapping({"--advertise-host", "127.0.0.77"});
  const auto ports = join_on_both_loops([](bool is_known) { return milliseconds(is_known ? 900 : 2'500); });
  EXPECT_EQ(ports.size(), 2u);
}

TEST_F(OnePort, PortsWhosePacketsAreDroppedAreGoneRoundAlsoWhenComingBack) {
  const DroppedPort dropped("127.0.0.78");
  start_behind_mapping({"--advertise", "127.0.0.78:" + std::to_string(dropped.port())});
  const MatchInfo match = create();
  EXPECT_EQ(match.endpoint.port, static_cast<std::uint32_t>(dropped.port()));
  std::optional<Session> ann;
  EXPECT_LT(join(match, "ann", ann, {}), milliseconds(2'500));
  mapping_->set_swallowing(true);
  ASSERT_TRUE(is_in(*ann, SessionState::kReconnecting));
  mapping_->set_swallowing(false);
  ASSERT_TRUE(eventually([&] { return ann->poll_reconnection().has_value(); })) << ann->error().message();
  const Tick tick = ann->tick();
  EXPECT_TRUE(eventually([&] { return ann->tick() > tick; }));
  std::optional<Session> bob;
  EXPECT_LT(join(match, "bob", bob), milliseconds(900)) << "remembered";
}

TEST_F(OnePort, AMatchThatMovesToAnotherLoopIsComeBackToThroughTheOnePort) {
  start_behind_mapping({"--no-loop-ports", "--move-matches-every-ms", "20"});
  const MatchInfo match = create();
  std::optional<Session> ann;
  join(match, "ann", ann, {});
  for (int i = 0; i < 2; ++i) {
    mapping_->set_swallowing(true);
    ASSERT_TRUE(is_in(*ann, SessionState::kReconnecting));
    mapping_->set_swallowing(false);
    ASSERT_TRUE(eventually([&] { return ann->poll_reconnection().has_value(); })) << ann->error().message();
  }
  const Tick tick = ann->tick();
  EXPECT_TRUE(eventually([&] { return ann->tick() > tick; }));
}

TEST_F(OnePort, AddressesThatSayTooLittleAreUsageErrors) {
  stopped_by_test_ = true;
  for (const auto& options : std::vector<std::vector<std::string>>{
           {"--advertise", "game.example"},
           {"--advertise", "game.example:0"},
           {"--advertise", "game.example:1", "--advertise-host", "game.example"},
           {"--no-loop-ports", "--loop-port-base", "9000"}}) {
    std::vector<std::string> command{required_environment("SWEEPD_BINARY")};
    command.insert(command.end(), options.begin(), options.end());
    const TemporaryFolder folder;
    Process process(command, folder.path());
    EXPECT_EQ(process.wait(), 2) << options[0];
  }
}

TEST_F(OnePort, SweepctlWorksThroughTheOnePort) {
  start_behind_mapping({"--advertise-host", "127.0.0.77"});
  const TemporaryFolder folder;
  Process load({required_environment("SWEEPCTL_BINARY"), "load", "--server", mapping_->address(), "--matches",
                "2", "--duration", "1", "--warm-up", "0.1"},
               folder.path());
  EXPECT_EQ(load.wait(), 0) << load.standard_error() << load.standard_output();
}

}  // namespace
}  // namespace sweepd::test::one_port_test
