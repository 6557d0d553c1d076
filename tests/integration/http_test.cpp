// SPDX-License-Identifier: MIT
//
// Protects the operator's second door: a real server tells by HTTP how it is and what it does, and neither
// that nor its clients keep it from starting and stopping as it should.
#include <grpcpp/grpcpp.h>
#include <signal.h>

#include "grpc/health/v1/health_service.grpc.pb.h"
#include "integration/support/server_fixture.h"
#include "unit/inspector/http_client.h"

namespace sweepd::test::http_test {
namespace {

using ::testing::ContainsRegex;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class HttpInspector : public ServerTest {
 protected:
  void SetUp() override {
    const auto port_file = folder_.path() / "http-port";
    start({"--http-listen", "127.0.0.1:0", "--http-port-file", port_file.string()});
    // The file is there before the server is ready.
    port_ = static_cast<std::uint16_t>(std::stoi(read_file(port_file)));
  }

  std::string get(const std::string& path) const { return test::get(port_, path); }

  TemporaryFolder folder_;
  std::uint16_t port_ = 0;
};

TEST_F(HttpInspector, TellsThatTheServerIsAliveReadyAndWell) {
  EXPECT_THAT(get("/livez"), StartsWith("HTTP/1.1 200 OK\r\n"));
  EXPECT_THAT(get("/readyz"), EndsWith("\r\n\r\nready\n"));
  EXPECT_THAT(get("/healthz"), HasSubstr("\"server\":\"ok\""));
}

TEST_F(HttpInspector, ShowsHowLoadedEachLoopIs) {
  EXPECT_TRUE(eventually(
      [&] { return get("/metrics").find("sweepd_loop_busy_ratio{loop=\"0\"} ") != std::string::npos; }));
  EXPECT_THAT(get("/metrics"), HasSubstr("sweepd_loop_tick_lateness_seconds{loop=\"0\"} "));
}

TEST_F(HttpInspector, CountsMatchesAndStreams) {
  Client client = this->client();
  const std::string match_id = client.create_match(shooter_config(ClockKind::kManual))->match_id;
  ASSERT_TRUE(client.create_match(shooter_config(ClockKind::kManual)).ok());
  EXPECT_THAT(get("/metrics"), HasSubstr("\nsweepd_matches 2\n"));
  EXPECT_THAT(get("/metrics"), HasSubstr("\nsweepd_streams 0\n"));
  Session session = joined(client, match_id, "player", Role::kPlayer);
  EXPECT_THAT(get("/metrics"), HasSubstr("\nsweepd_streams 1\n"));
}

TEST_F(HttpInspector, CountsWhomASharedStreamMayNotJoin) {
  Client client = this->client();
  JoinOptions options;
  options.match_id = client.create_match(shooter_config(ClockKind::kManual))->match_id;
  options.name = "ann";
  options.shared = true;
  Session ann = client.join(options);
  Session again = ann.join_also("ann");
  ASSERT_TRUE(is_in(again, SessionState::kFailed));
  EXPECT_EQ(ann.state(), SessionState::kJoined);
  EXPECT_THAT(get("/metrics"), HasSubstr("\nsweepd_calls_refused_total{status=\"FAILED_PRECONDITION\"} 1\n"));
}

TEST_F(HttpInspector, CountsWhatItsLoopsDo) {
  Client client = this->client();
  const std::string match_id = client.create_match(shooter_config(ClockKind::kManual))->match_id;
  Session session = joined(client, match_id, "player", Role::kPlayer);
  Watcher watcher = client.watch(match_id);
  ASSERT_TRUE(is_in(watcher, SessionState::kJoined));
  ASSERT_TRUE(session.spawn(object_at({0, 0}, 0)).ok());
  ASSERT_TRUE(session.spawn(object_at({0, 0}, 2)).ok());
  ASSERT_TRUE(session.end_frame().ok());
  ASSERT_TRUE(client.step_match(match_id, 1, true).ok());
  ASSERT_TRUE(eventually([&] { return session.tick() == 1; }));
  EXPECT_FALSE(client.get_match("nothing").ok());
  const std::string metrics = get("/metrics");
  EXPECT_THAT(metrics, HasSubstr("\nsweepd_open_streams{rpc=\"Play\"} 1\n"));
  EXPECT_THAT(metrics, HasSubstr("\nsweepd_open_streams{rpc=\"Watch\"} 1\n"));
  EXPECT_THAT(metrics, HasSubstr("\nsweepd_calls_refused_total{status=\"NOT_FOUND\"} 1\n"));
  // On whichever loop it is.
  EXPECT_THAT(metrics, ContainsRegex("\nsweepd_frames_total\\{loop=\"[0-9]+\"\\} 1\n"));
  EXPECT_THAT(metrics, ContainsRegex("\nsweepd_events_total\\{loop=\"[0-9]+\"\\} 1\n"));
  EXPECT_THAT(metrics, ContainsRegex("\nsweepd_tick_seconds_count\\{loop=\"[0-9]+\"\\} 1\n"));
  EXPECT_THAT(metrics, ContainsRegex("\nsweepd_updates_total\\{loop=\"[0-9]+\"\\} [1-9]"));
  EXPECT_THAT(metrics, ContainsRegex("\nsweepd_matches_by_state\\{loop=\"[0-9]+\",state=\"RUNNING\"\\} 1\n"));
}

TEST_F(HttpInspector, GrpcsHealthProtocolKnowsTheSameParts) {
  auto stub = grpc::health::v1::Health::NewStub(
      grpc::CreateChannel(server().address(), grpc::InsecureChannelCredentials()));
  grpc::ClientContext context;
  grpc::health::v1::HealthCheckRequest request;
  request.set_service("sweepd.server");
  auto watch = stub->Watch(&context, request);
  grpc::health::v1::HealthCheckResponse response;
  ASSERT_TRUE(watch->Read(&response));
  EXPECT_EQ(response.status(), grpc::health::v1::HealthCheckResponse::SERVING);
  stopped_by_test_ = true;
  server().process().signal(SIGTERM);
  ASSERT_TRUE(watch->Read(&response));
  EXPECT_EQ(response.status(), grpc::health::v1::HealthCheckResponse::NOT_SERVING);
  while (watch->Read(&response))
    EXPECT_EQ(response.status(), grpc::health::v1::HealthCheckResponse::NOT_SERVING);
  EXPECT_EQ(watch->Finish().error_code(), grpc::StatusCode::UNAVAILABLE);
  EXPECT_EQ(server().process().wait(), 0);
}

TEST_F(HttpInspector, TheServerStopsWithClientsOnTheLine) {
  HttpClient silent(port_);
  HttpClient half(port_);
  half.send("GET /metr");
  HttpClient served(port_);
  served.send("GET /livez HTTP/1.1\r\nHost: a\r\n\r\n");
  EXPECT_THAT(served.response(), EndsWith("alive\n"));
  stopped_by_test_ = true;
  server().process().signal(SIGINT);
  EXPECT_EQ(server().process().wait(), 0) << server().process().standard_error();
  EXPECT_TRUE(silent.is_at_end());
}

TEST_F(HttpInspector, AnAddressThatIsTakenKeepsTheServerFromStarting) {
  const std::string taken = "127.0.0.1:" + std::to_string(port_);
  Process second({required_environment("SWEEPD_BINARY"), "--listen", "127.0.0.1:0", "--http-listen", taken},
                 folder_.path() / "second");
  EXPECT_EQ(second.wait(), 1);
  EXPECT_THAT(second.standard_error(),
              HasSubstr("cannot listen for HTTP on " + taken + ": Address already in use"));
}

TEST_F(HttpInspector, AnOptionThatCannotBeIsAUsageError) {
  const std::string binary = required_environment("SWEEPD_BINARY");
  Process address({binary, "--http-listen", "nowhere"}, folder_.path() / "address");
  EXPECT_EQ(address.wait(), 2);
  EXPECT_THAT(address.standard_error(), HasSubstr("--http-listen: \"nowhere\" is not HOST:PORT"));
  Process file({binary, "--http-port-file", "port"}, folder_.path() / "file");
  EXPECT_EQ(file.wait(), 2);
  EXPECT_THAT(file.standard_error(), HasSubstr("--http-listen"));
}

}  // namespace
}  // namespace sweepd::test::http_test
