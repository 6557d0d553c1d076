// SPDX-License-Identifier: MIT
//
// Protects clients from being charged for others, and from not knowing why they are refused and when to try
// again.
#include "rpc/client_budget.h"

#include <gmock/gmock.h>
#include <google/rpc/error.pb.h>
#include <gtest/gtest.h>

#include "rpc/loop_server.h"
#include "rpc/replay_status.h"
#include "rpc/status.h"
#include "runtime/budgets/client_limits.h"

namespace sweepd::rpc::client_budget_test {
namespace {

using boost::asio::ip::make_address;
using ::testing::HasSubstr;

std::unique_ptr<Backend> backend() {
  runtime::ClientLimits limits;
  limits.memory_max = std::uint64_t{1} << 30;
  return std::make_unique<Backend>(1, 10, runtime::budget_limits(limits, 1024, 10, 10), limits);
}

std::int64_t retry_seconds(const grpc::Status& status) {
  google::rpc::Status details;
  details.ParseFromString(status.error_details());
  google::rpc::RetryInfo retry;
  for (const auto& detail : details.details()) {
    if (detail.UnpackTo(&retry)) return retry.retry_delay().seconds();
  }
  return -1;
}

TEST(ClientBudget, KnowsPeersByGrpcsNamesOfThem) {
  const auto endpoint = endpoint_of_peer("ipv4:10.0.0.1:40000");
  ASSERT_TRUE(endpoint);
  EXPECT_EQ(endpoint->address(), make_address("10.0.0.1"));
  EXPECT_EQ(endpoint->port(), 40'000);
  EXPECT_EQ(endpoint_of_peer("ipv6:%5B2001:db8::1%5D:1")->address(), make_address("2001:db8::1"));
  EXPECT_EQ(endpoint_of_peer("ipv6:[::1]:1")->address(), make_address("::1"));
  for (const char* other : {"", "unix:/run/sweepd", "ipv4:", "ipv4:10.0.0.1", "ipv4:10.0.0.1:x", "ipv6:::"})
    EXPECT_FALSE(endpoint_of_peer(other)) << other;
}

TEST(ClientBudget, IsThatOfTheAddressOrOfTheClientBehindAFront) {
  const auto server = backend();
  EXPECT_EQ(key_of_peer(*server, "ipv4:10.0.0.1:40000").text(), "10.0.0.1");
  EXPECT_EQ(key_of_peer(*server, "ipv6:%5B2001:db8::1%5D:1").text(), "2001:db8::/64");
  EXPECT_EQ(key_of_peer(*server, "unix:/run/sweepd").text(), "unix:/run/sweepd");
  server->connections.add(0, {make_address("10.0.0.1"), 40'001}, {}, make_address("192.0.2.7"));
  EXPECT_EQ(key_of_peer(*server, "ipv4:10.0.0.1:40001").text(), "192.0.2.7");
  EXPECT_EQ(key_of_peer(*server, "ipv4:10.0.0.1:40000").text(), "10.0.0.1");
}

TEST(ClientBudget, SmallMessagesAreNotChargedAndLargeOnesAre) {
  const auto server = backend();
  const auto account = server->budgets.account(runtime::BudgetKey("a"));
  const auto small = take_message(*server, account, kSmallMessageBytes - 1);
  EXPECT_EQ(server->budgets.taken(runtime::Resource::kBytes), 0u);
  const auto large = take_message(*server, account, kSmallMessageBytes);
  EXPECT_EQ(server->budgets.taken(runtime::Resource::kBytes), kSmallMessageBytes);
}

TEST(ClientBudget, RefusalsNameTheLimitWhoseItIsAndWhenToTryAgain) {
  const grpc::Status of_client = over_budget({runtime::Resource::kStreams, true, 7});
  EXPECT_EQ(of_client.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_EQ(reason_of(of_client), "TOO_MANY_STREAMS");
  EXPECT_THAT(of_client.error_message(), HasSubstr("7 streams, its limit (--streams-per-client-max)"));
  const grpc::Status of_server = over_budget({runtime::Resource::kCalls, false, 9});
  EXPECT_EQ(reason_of(of_server), "TOO_MANY_CALLS");
  EXPECT_THAT(of_server.error_message(), HasSubstr("the server has 9"));
  EXPECT_EQ(reason_of(over_budget({runtime::Resource::kMatches, true, 1})), "TOO_MANY_MATCHES");
  EXPECT_EQ(reason_of(over_budget({runtime::Resource::kBytes, true, 1})), "TOO_MANY_BYTES");
}

TEST(ClientBudget, EverythingThatIsExhaustedSaysWhenToTryAgain) {
  for (const grpc::Status& status :
       {over_budget({}), memory_is_short(backend()->memory), too_many_matches(1), slow_reader(1),
        join_refused(match::JoinError::kMatchFull, {}, {}), replay_too_large(1), too_many_verifications(""),
        verification_too_long(""), verification_too_large(""),
        replay_unavailable({runtime::ReplayErrorKind::kBusy, ""}, {}),
        make_status(grpc::StatusCode::RESOURCE_EXHAUSTED, {.reason = "ANY", .message = "any"})}) {
    EXPECT_EQ(status.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
    EXPECT_GT(retry_seconds(status), 0) << status.error_message();
  }
  EXPECT_EQ(retry_seconds(make_status(grpc::StatusCode::NOT_FOUND, {.reason = "ANY", .message = "any"})), -1);
}

}  // namespace
}  // namespace sweepd::rpc::client_budget_test
