// SPDX-License-Identifier: MIT
//
// Protects the operator: the server starts, says how it is, refuses what it cannot do in clear words, and
// stops when it is told to, telling everybody why.
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/grpcpp.h>
#include <signal.h>

#include "grpc/health/v1/health_service.grpc.pb.h"
#include "integration/support/server_fixture.h"

namespace sweepd::test::server_test {
namespace {

using ::testing::HasSubstr;

class Server : public ServerTest {
 protected:
  std::shared_ptr<grpc::Channel> channel() {
    return grpc::CreateChannel(server().address(), grpc::InsecureChannelCredentials());
  }

  void expect_clean_stop(int signal_number) {
    Client client = this->client();
    const std::string match_id = client.create_match(shooter_config(ClockKind::kRealtime))->match_id;
    Session session = joined(client, match_id, "player", Role::kPlayer);
    Watcher watcher = client.watch(match_id);
    ASSERT_TRUE(is_in(watcher, SessionState::kJoined));
    stopped_by_test_ = true;
    server().process().signal(signal_number);
    EXPECT_EQ(server().process().wait(), 0) << server().process().standard_error();
    ASSERT_TRUE(is_in(session, SessionState::kFailed));
    EXPECT_EQ(session.error().code(), ErrorCode::kUnavailable);
    EXPECT_EQ(session.error().reason(), "SERVER_SHUTTING_DOWN");
    ASSERT_TRUE(is_in(watcher, SessionState::kFailed));
    EXPECT_EQ(watcher.error().reason(), "SERVER_SHUTTING_DOWN");
  }
};

TEST_F(Server, StopsOnSigtermAndTellsItsStreamsWhy) { expect_clean_stop(SIGTERM); }

TEST_F(Server, StopsOnSigintAndTellsItsStreamsWhy) { expect_clean_stop(SIGINT); }

TEST_F(Server, StopsWithASilentClientOnTheLine) {
  Client client = this->client();
  const std::string match_id = client.create_match(shooter_config(ClockKind::kManual))->match_id;
  Session silent = joined(client, match_id, "player", Role::kPlayer);
  stopped_by_test_ = true;
  server().process().signal(SIGTERM);
  EXPECT_EQ(server().process().wait(), 0);
}

TEST_F(Server, AnswersTheStandardHealthCheck) {
  auto stub = grpc::health::v1::Health::NewStub(channel());
  grpc::ClientContext context;
  grpc::health::v1::HealthCheckResponse response;
  ASSERT_TRUE(stub->Check(&context, {}, &response).ok());
  EXPECT_EQ(response.status(), grpc::health::v1::HealthCheckResponse::SERVING);
}

TEST_F(Server, SaysHowEachOfItsServicesIs) {
  auto stub = grpc::health::v1::Health::NewStub(channel());
  for (const char* service :
       {"sweepd.v1.MatchService", "sweepd.v1.QueryService", "sweepd.v1.ReplayService"}) {
    grpc::ClientContext context;
    grpc::health::v1::HealthCheckRequest request;
    request.set_service(service);
    grpc::health::v1::HealthCheckResponse response;
    ASSERT_TRUE(stub->Check(&context, request, &response).ok()) << service;
    EXPECT_EQ(response.status(), grpc::health::v1::HealthCheckResponse::SERVING) << service;
  }
  grpc::ClientContext context;
  grpc::health::v1::HealthCheckRequest request;
  request.set_service("sweepd.v1.NoService");
  grpc::health::v1::HealthCheckResponse response;
  EXPECT_EQ(stub->Check(&context, request, &response).error_code(), grpc::StatusCode::NOT_FOUND);
}

TEST_F(Server, TellsWhoWatchesItsHealthThatItStops) {
  auto stub = grpc::health::v1::Health::NewStub(channel());
  grpc::ClientContext context;
  auto watch = stub->Watch(&context, {});
  grpc::health::v1::HealthCheckResponse response;
  ASSERT_TRUE(watch->Read(&response));
  EXPECT_EQ(response.status(), grpc::health::v1::HealthCheckResponse::SERVING);
  stopped_by_test_ = true;
  server().process().signal(SIGTERM);
  ASSERT_TRUE(watch->Read(&response));
  EXPECT_EQ(response.status(), grpc::health::v1::HealthCheckResponse::NOT_SERVING);
  EXPECT_FALSE(watch->Read(&response));
  EXPECT_EQ(watch->Finish().error_code(), grpc::StatusCode::UNAVAILABLE);
  EXPECT_EQ(server().process().wait(), 0);
}

TEST_F(Server, ASecondServerOnThePortIsRefused) {
  TemporaryFolder folder;
  Process second({required_environment("SWEEPD_BINARY"), "--listen", server().address()}, folder.path());
  EXPECT_EQ(second.wait(), 1);
  EXPECT_THAT(second.standard_error(), HasSubstr(server().address()));
  EXPECT_THAT(second.standard_error(), HasSubstr("in use"));
}

TEST_F(Server, ABadOptionIsAUsageError) {
  TemporaryFolder folder;
  Process bad({required_environment("SWEEPD_BINARY"), "--loops", "many"}, folder.path());
  EXPECT_EQ(bad.wait(), 2);
  EXPECT_THAT(bad.standard_error(), HasSubstr("--loops"));
  for (const char* option : {"--ticket-keys", "--rules-dir", "--data-dir"}) {
    Process empty({required_environment("SWEEPD_BINARY"), option, ""}, folder.path());
    EXPECT_EQ(empty.wait(), 2) << "an empty variable of a script switches nothing off";
    EXPECT_THAT(empty.standard_error(), HasSubstr(std::string(option) + ": is empty"));
  }
}

TEST_F(Server, HelpShowsAnExample) {
  TemporaryFolder folder;
  Process help({required_environment("SWEEPD_BINARY"), "--help"}, folder.path());
  EXPECT_EQ(help.wait(), 0);
  EXPECT_THAT(help.standard_output(), HasSubstr("Example"));
}

TEST_F(Server, RefusesMatchesBeyondItsBound) {
  stopped_by_test_ = true;
  start({"--matches-max", "1"});
  Client client = this->client();
  ASSERT_TRUE(client.create_match(shooter_config(ClockKind::kManual)).ok());
  const auto second = client.create_match(shooter_config(ClockKind::kManual));
  EXPECT_EQ(second.status().code(), ErrorCode::kResourceExhausted);
  EXPECT_EQ(second.status().reason(), "TOO_MANY_MATCHES");
}

TEST_F(Server, ListsMatchesPageByPage) {
  Client client = this->client();
  for (int i = 0; i < 150; ++i) ASSERT_TRUE(client.create_match(shooter_config(ClockKind::kManual)).ok());
  const auto matches = client.list_matches();
  ASSERT_TRUE(matches.ok());
  EXPECT_EQ(matches->size(), 150u);
  for (std::size_t i = 1; i < matches->size(); ++i)
    EXPECT_LT((*matches)[i - 1].match_id, (*matches)[i].match_id);
}

}  // namespace
}  // namespace sweepd::test::server_test
