// SPDX-License-Identifier: MIT
//
// Protects the gRPC door where strangers reach it: through the front that deploy/haproxy ships, calls and
// streams by TLS work, clients are told apart by their own addresses, and what gRPC 1.51 itself cannot stop
// stops there.
#include <unistd.h>

#include "base/sanitizers.h"
#include "integration/support/guarded_server.h"
#include "integration/support/raw_http2.h"
#include "integration/support/raw_stream.h"

namespace sweepd::test::front_test {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kMebibyte = std::size_t{1} << 20;
constexpr auto kAttackTime = 4s;

class Front : public GuardedServerTest {
 protected:
  void SetUp() override {
    start_with(
        {"--loops", "1", "--anonymous", "--trust-front", "127.0.0.1", "--connections-per-client-max", "40"});
    make_certificate();
    port_ = free_port();
    const std::vector<std::string> command{
        "/usr/bin/env",
        "PATH=/usr/sbin:/usr/bin:/bin",
        "SWEEPD_FRONT=127.0.0.1:" + std::to_string(port_),
        "SWEEPD_SERVER=" + server().address(),
        "SWEEPD_CERTIFICATE=" + (folder_.path() / "front.pem").string(),
        "haproxy",
        "-db",
        "-f",
        required_environment("SWEEPD_SOURCE_DIR") + "/deploy/haproxy/haproxy.cfg"};
    front_ = std::make_unique<Process>(command, folder_.path() / "front");
    ASSERT_TRUE(eventually([&] { return RawHttp2(port_, tls()).is_served() || !front_->is_running(); }));
    ASSERT_TRUE(front_->is_running())
        << "no HAProxy (deploy/install-packages.sh test): " << front_->standard_error();
  }

  void TearDown() override {
    EXPECT_TRUE(front_->is_running()) << front_->standard_error();
    front_.reset();
    GuardedServerTest::TearDown();
  }

  void make_certificate() {
    const std::string folder = folder_.path().string();
    const std::string make =
        "cd '" + folder +
        "' && openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out certificate.pem "
        "-days 2 -subj /CN=localhost -addext subjectAltName=IP:127.0.0.1 2>openssl.log && "
        "cat certificate.pem key.pem > front.pem";
    ASSERT_EQ(std::system(make.c_str()), 0) << read_file(folder_.path() / "openssl.log");
  }

  static RawHttp2::Options tls(const std::string& from = "127.0.0.1") {
    RawHttp2::Options options;
    options.is_tls = true;
    options.from = from;
    return options;
  }

  std::shared_ptr<grpc::Channel> channel() {
    grpc::SslCredentialsOptions options;
    options.pem_root_certs = read_file(folder_.path() / "certificate.pem");
    return grpc::CreateChannel("127.0.0.1:" + std::to_string(port_), grpc::SslCredentials(options));
  }

  /// Makes connections and lets `attack` send on each until it is hung up on, for a while.
  template <typename Attack>
  void attack_for_a_while(Attack attack) {
    const auto end = std::chrono::steady_clock::now() + kAttackTime;
    const auto goes_on = [end] { return std::chrono::steady_clock::now() < end; };
    while (goes_on()) {
      RawHttp2 connection(port_, tls("127.0.0.2"));
      attack(connection, goes_on);
      std::this_thread::sleep_for(1ms);
    }
  }

  /// The neighbour plays without the front: what it notices is the server's doing.
  void expect_unharmed(Neighbour& neighbour, std::size_t before) {
    neighbour.stop();
    EXPECT_TRUE(neighbour.error().ok()) << neighbour.error().message();
    EXPECT_GT(neighbour.ticks(), 60u);
    // ThreadSanitizer keeps a history of what each byte was used for.
    if (!base::kHasThreadSanitizer) {
      EXPECT_LT(neighbour.memory_most(), before + 64 * kMebibyte);
    }
    EXPECT_LT(neighbour.longest_gap(), 1s) << "the machine may be slow, but the server does not stand still";
    RecordProperty("longest_gap_ms", static_cast<int>(neighbour.longest_gap().count()));
    std::printf("longest gap %d ms, memory %zu MiB, before %zu MiB\n",
                static_cast<int>(neighbour.longest_gap().count()), neighbour.memory_most() / kMebibyte,
                before / kMebibyte);
  }

  std::unique_ptr<Process> front_;
  int port_ = 0;
};

TEST_F(Front, PassesCallsAndStreamsOn) {
  const std::string match_id = client().create_match(shooter_config(ClockKind::kRealtime))->match_id;
  auto stub = v1::MatchService::NewStub(channel());
  RawStream stream(*stub);
  stream.joined(match_id, "ann");
  for (int i = 0; i < 30; ++i) {
    const auto update = stream.read();
    ASSERT_TRUE(update);
    EXPECT_TRUE(update->has_update());
  }
  grpc::ClientContext context;
  v1::GetMatchRequest request;
  request.set_match_id("none");
  v1::GetMatchResponse response;
  const grpc::Status status = stub->GetMatch(&context, request, &response);
  EXPECT_EQ(describe(status), "MATCH_NOT_FOUND")
      << "details of errors come through: " << status.error_message();
}

TEST_F(Front, TellsTheServerWhoseConnectionsTheyAre) {
  const std::string join = RawHttp2::frame(RawHttp2::kHeaders, RawHttp2::kEndHeaders, 1,
                                           RawHttp2::call_headers("/sweepd.v1.MatchService/Play"));
  std::vector<std::unique_ptr<RawHttp2>> connections;
  const auto open_streams = [&](int count, const std::string& from) {
    for (int i = 0; i < count; ++i)
      connections.emplace_back(std::make_unique<RawHttp2>(port_, tls(from)))->send(join);
  };
  const std::string refusals = "sweepd_connections_refused_total{reason=\"client_limit\"}";
  open_streams(60, "127.0.0.2");
  EXPECT_TRUE(eventually([&] { return metric("sweepd_streams") == 40 && metric(refusals) >= 20; }))
      << page("/metrics");
  open_streams(5, "127.0.0.3");
  EXPECT_TRUE(eventually([&] { return metric("sweepd_streams") == 45; })) << page("/metrics");
}

TEST_F(Front, StopsHeadersWithoutEnd) {
  const std::size_t before = resident_bytes_of(server().process());
  Neighbour neighbour(client(), server().process());
  std::string fields;
  for (int i = 0; i < 100; ++i) fields += std::string("\0\x04name\x64", 7) + std::string(100, 'a');
  const std::string more = RawHttp2::frame(RawHttp2::kContinuation, 0, 1, fields);
  attack_for_a_while([&](RawHttp2& connection, const auto& goes_on) {
    const std::string begin = RawHttp2::call_headers("/sweepd.v1.MatchService/GetMatch");
    connection.send(RawHttp2::frame(RawHttp2::kHeaders, 0, 1, begin));
    while (goes_on() && connection.send(more)) continue;
  });
  expect_unharmed(neighbour, before);
}

TEST_F(Front, StopsStreamsThatAreOpenedAndResetInARush) {
  const std::size_t before = resident_bytes_of(server().process());
  Neighbour neighbour(client(), server().process());
  const std::string headers = RawHttp2::call_headers("/sweepd.v1.MatchService/Play");
  attack_for_a_while([&](RawHttp2& connection, const auto& goes_on) {
    for (std::uint32_t stream = 1; goes_on();) {
      std::string burst;
      for (int i = 0; i < 200; ++i, stream += 2) {
        burst += RawHttp2::frame(RawHttp2::kHeaders, RawHttp2::kEndHeaders, stream, headers);
        burst += RawHttp2::frame(RawHttp2::kResetStream, 0, stream, std::string("\0\0\0\x08", 4));
      }
      if (!connection.send(burst) || !connection.drain()) return;
    }
  });
  expect_unharmed(neighbour, before);
}

TEST_F(Front, StopsARushOfConnectionsAndOfCalls) {
  const std::size_t before = resident_bytes_of(server().process());
  Neighbour neighbour(client(), server().process());
  v1::ListMatchesRequest request;
  attack_for_a_while([&](RawHttp2& connection, const auto& goes_on) {
    for (std::uint32_t stream = 1; goes_on(); stream += 2) {
      if (!connection.send(
              RawHttp2::call(stream, "/sweepd.v1.MatchService/ListMatches", request.SerializeAsString())) ||
          !connection.drain())
        return;
    }
  });
  expect_unharmed(neighbour, before);
}

}  // namespace
}  // namespace sweepd::test::front_test
