// SPDX-License-Identifier: MIT
//
// Protects tokens: every rpc has one, a fresh one each, and no rpc goes where it would be read by others.
#include "security.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <mutex>

#include "loopback.h"
#include "unit/client_sdk/fake_server.h"

namespace sweepd::internal::security_test {
namespace {

using ::testing::ElementsAre;

TEST(Loopback, IsOfThisMachineAlone) {
  for (const char* here : {"127.0.0.1:1", "127.8.9.10:1", "[::1]:1", "localhost:1", "unix:/run/sweepd.sock",
                           "dns:///localhost:1", "dns:///127.0.0.1:1"}) {
    EXPECT_TRUE(is_on_this_machine(here)) << here;
  }
  for (const char* elsewhere : {"128.0.0.1:1", "10.0.0.1:1", "0.0.0.0:1", "[::2]:1", "[::ffff:10.0.0.1]:1",
                                "localhost.example.com:1", "127.0.0.1.example.com:1", "127.1:1", ":1", ""}) {
    EXPECT_FALSE(is_on_this_machine(elsewhere)) << elsewhere;
  }
}

TEST(Loopback, AHostIsWhatStandsBeforeThePort) {
  EXPECT_EQ(host_of("game.example.com:7777"), "game.example.com");
  EXPECT_EQ(host_of("dns:///game.example.com:7777"), "game.example.com");
  EXPECT_EQ(host_of("[2001:db8::1]:7777"), "2001:db8::1");
  EXPECT_EQ(host_of("unix:/run/sweepd.sock"), "");
}

std::string authorization_of(const grpc::ServerContext& context) {
  const auto it = context.client_metadata().find("authorization");
  return it == context.client_metadata().end() ? "" : std::string(it->second.data(), it->second.size());
}

TEST(Token, IsSentFreshWithEachRpc) {
  std::mutex mutex;
  std::vector<std::string> seen;
  testing::FakeServer server([&](grpc::ServerContext& context, testing::FakeServer::PlayStream& /*stream*/) {
    const std::lock_guard lock(mutex);
    seen.push_back(authorization_of(context));
    return grpc::Status(grpc::StatusCode::NOT_FOUND, "no match");
  });
  ClientOptions options;
  options.server = server.address();
  int count = 0;
  options.security.fresh_token = [&] { return "token-" + std::to_string(++count); };
  Client client(options);
  ASSERT_TRUE(client.get_match("m").ok());
  Session session = client.join({.match_id = "m", .name = "alice"});
  ASSERT_TRUE(testing::eventually(session, SessionState::kFailed));
  const std::lock_guard lock(mutex);
  EXPECT_THAT(seen, ElementsAre("Bearer token-3")) << "after those of two GetMatch";
}

TEST(Token, WithoutOneNothingIsAsked) {
  std::atomic<int> calls = 0;
  testing::FakeServer server(
      [&](grpc::ServerContext& /*context*/, testing::FakeServer::PlayStream& /*stream*/) {
        ++calls;
        return grpc::Status::OK;
      });
  ClientOptions options;
  options.server = server.address();
  options.security.fresh_token = [] { return "no token\n"; };
  Client client(options);
  EXPECT_EQ(client.get_match("m").status().field(), "security.fresh_token");
  EXPECT_EQ(client.get_receipt("m").status().field(), "security.fresh_token");
  EXPECT_EQ(client.verify_replay("").status().field(), "security.fresh_token");
  Session session = client.join({.match_id = "m", .name = "alice"});
  ASSERT_TRUE(testing::eventually(session, SessionState::kFailed));
  EXPECT_EQ(session.error().field(), "security.fresh_token");
  EXPECT_EQ(calls, 0);
}

TEST(Token, LeadsASessionToNoEndpointElsewhereInPlainText) {
  testing::FakeServer server(
      [](grpc::ServerContext& /*context*/, testing::FakeServer::PlayStream& /*stream*/) {
        return grpc::Status(grpc::StatusCode::NOT_FOUND, "this server was asked");
      });
  server.match.mutable_endpoint()->set_host("192.0.2.1");
  server.match.mutable_endpoint()->set_port(7777);
  ClientOptions options;
  options.server = server.address();
  options.security.token = "secret";
  Session session = Client(options).join({.match_id = "m", .name = "alice"});
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(900);
  while (session.state() == SessionState::kConnecting && std::chrono::steady_clock::now() < deadline)
    std::this_thread::yield();
  EXPECT_EQ(session.error().message(), "this server was asked") << "and the endpoint was not tried at all";
}

}  // namespace
}  // namespace sweepd::internal::security_test
