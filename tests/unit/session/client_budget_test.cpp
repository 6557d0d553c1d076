// SPDX-License-Identifier: MIT
//
// Protects clients from being charged for others, and from not knowing why they are refused and when to try
// again.
#include "session/client_budget.h"

#include <gmock/gmock.h>
#include <google/rpc/error.pb.h>
#include <gtest/gtest.h>

#include "runtime/budgets/client_limits.h"
#include "session/backend.h"
#include "session/refusals.h"
#include "session/replay_status.h"
#include "session/status.h"
#include "session/subject_key.h"

namespace sweepd::session::client_budget_test {
namespace {

using boost::asio::ip::make_address;
using runtime::KeyKind;
using runtime::Resource;
using ::testing::HasSubstr;

std::unique_ptr<Backend> backend() {
  runtime::ClientLimits limits;
  limits.memory_max = std::uint64_t{1} << 30;
  return std::make_unique<Backend>(1, 10, runtime::budget_limits(limits, 1024, 10, 10), limits);
}

std::int64_t retry_seconds(const Status& status) {
  google::rpc::Status details;
  details.ParseFromString(status.details());
  google::rpc::RetryInfo retry;
  for (const auto& detail : details.details()) {
    if (detail.UnpackTo(&retry)) return retry.retry_delay().seconds();
  }
  return -1;
}

using Client = runtime::ConnectionTable::Client;

TEST(ClientBudget, IsThatOfTheAddressOrOfTheClientBehindAFront) {
  const auto server = backend();
  const auto payer = [&server](const char* address, std::uint16_t port) {
    return caller_at(*server, {make_address(address), port}).payers.own().key().text();
  };
  EXPECT_EQ(payer("10.0.0.1", 40'000), "10.0.0.1");
  EXPECT_EQ(payer("2001:db8::1", 1), "2001:db8::/64");
  EXPECT_EQ(caller_named(*server, "unix:/run/sweepd").payers.own().key().text(), "unix:/run/sweepd");
  server->connections.add(0, {make_address("10.0.0.1"), 40'001}, {}, Client{make_address("192.0.2.7")});
  EXPECT_EQ(payer("10.0.0.1", 40'001), "192.0.2.7");
  EXPECT_EQ(payer("10.0.0.1", 40'000), "10.0.0.1");
}

TEST(Caller, IsWhomAFrontHasCheckedWhereItIsBehindOne) {
  const auto server = backend();
  const auto bob =
      std::make_shared<const runtime::CertifiedSubject>(runtime::CertifiedSubject{.common_name = "bob"});
  server->connections.add(0, {make_address("10.0.0.1"), 1}, {}, Client{make_address("192.0.2.7"), bob});
  server->connections.add(1, {make_address("10.0.0.1"), 2}, {}, Client{make_address("192.0.2.8")});
  server->connections.add(2, {make_address("10.0.0.1"), 3}, {});
  const auto caller = [&server](std::uint16_t port) {
    return caller_at(*server, {make_address("10.0.0.1"), port});
  };
  EXPECT_EQ(caller(1).certified, bob);
  EXPECT_EQ(caller(2).certified, nullptr);
  EXPECT_EQ(caller(2).behind_front, "ipv4:192.0.2.8") << "the front's own certificate is not the client's";
  EXPECT_EQ(caller(3).behind_front, "");
}

TEST(ClientBudget, SmallMessagesAreNotChargedAndLargeOnesAre) {
  const auto server = backend();
  const runtime::Payers account = server->budgets.account(KeyKind::kAddress, runtime::BudgetKey("a"));
  const auto small = take_message(*server, account, kSmallMessageBytes - 1);
  EXPECT_EQ(server->budgets.taken(runtime::Resource::kBytes), 0u);
  const auto large = take_message(*server, account, kSmallMessageBytes);
  EXPECT_EQ(server->budgets.taken(runtime::Resource::kBytes), kSmallMessageBytes);
}

TEST(ClientBudget, RefusalsNameTheLimitWhoseItIsAndWhenToTryAgain) {
  const Status of_client = over_budget({Resource::kStreams, KeyKind::kAddress, 7});
  EXPECT_EQ(of_client.code(), Code::kResourceExhausted);
  EXPECT_EQ(reason_of(of_client), "TOO_MANY_STREAMS");
  EXPECT_EQ(of_client.message(), "your address has 7 streams, its limit (--streams-per-client-max)");
  EXPECT_EQ(over_budget({Resource::kMatches, KeyKind::kBackend, 5}).message(),
            "your backend has 5 matches, its limit (--backend-max matches=N)");
  const Status of_server = over_budget({Resource::kCalls, {}, 9});
  EXPECT_EQ(reason_of(of_server), "TOO_MANY_CALLS");
  EXPECT_THAT(of_server.message(), HasSubstr("the server has 9"));
  EXPECT_EQ(reason_of(over_budget({Resource::kMatches, KeyKind::kTenant, 1})), "TOO_MANY_MATCHES");
  EXPECT_EQ(reason_of(over_budget({Resource::kBytes, KeyKind::kSubject, 1})), "TOO_MANY_BYTES");
}

TEST(ClientBudget, RefusalsOfARateSayWhenThereIsSomethingAgain) {
  const Status status =
      over_budget({Resource::kFrames, KeyKind::kSubject, 60, std::chrono::milliseconds(2500)});
  EXPECT_EQ(status.message(),
            "your subject has sent more than 60 frames a second, its limit (--subject-max frames_per_s=N)");
  EXPECT_EQ(retry_seconds(status), 3);
}

TEST(ClientBudget, IsAlsoThatOfTheBearerOfATicketAndOfItsTenant) {
  const auto server = backend();
  runtime::Payers payers = server->budgets.account(KeyKind::kAddress, "10.0.0.1");
  identity::Principal ann{.kind = identity::PrincipalKind::kPlayer, .subject = {"game", "arcade", "ann"}};
  add_payers(server->budgets, ann, payers);
  EXPECT_EQ(payers.own().kind(), KeyKind::kSubject);
  EXPECT_EQ(subject_of(payers.own().key()), ann.subject);
  EXPECT_EQ(payers.of(KeyKind::kTenant)->key().text(), "arcade");
  EXPECT_EQ(payers.of(KeyKind::kAddress)->key().text(), "10.0.0.1");
  runtime::Payers others;
  add_payers(server->budgets, {}, others);
  EXPECT_TRUE(others.empty()) << "an anonymous caller";
  add_payers(server->budgets, {.kind = identity::PrincipalKind::kBackend, .subject = {"game", "", "b"}},
             others);
  EXPECT_EQ(others.of(KeyKind::kTenant), nullptr) << "the unnamed tenant has none";
  EXPECT_EQ(others.own().kind(), KeyKind::kBackend);
}

TEST(ClientBudget, OfACreatorIsFoundAgainByItsKey) {
  const auto server = backend();
  const identity::Subject studio{"game", "arcade", "studio"};
  const runtime::Payers of_ticket = payers_of_creator(server->budgets, key_of(studio));
  EXPECT_EQ(of_ticket.own().kind(), KeyKind::kBackend);
  EXPECT_EQ(of_ticket.of(KeyKind::kTenant)->key().text(), "arcade");
  const runtime::Payers of_address = payers_of_creator(server->budgets, "10.0.0.1");
  EXPECT_EQ(of_address.own().kind(), KeyKind::kAddress);
  EXPECT_TRUE(payers_of_creator(server->budgets, {}).empty());
}

TEST(ClientBudget, EverythingThatIsExhaustedSaysWhenToTryAgain) {
  for (const Status& status :
       {over_budget({}), memory_is_short(backend()->memory), too_many_matches(1), slow_reader(1),
        join_refused(match::JoinError::kMatchFull, {}, {}), replay_too_large(1), too_many_verifications(""),
        verification_too_long(""), verification_too_large(""),
        replay_unavailable({runtime::ReplayErrorKind::kBusy, ""}, {}),
        make_status(Code::kResourceExhausted, {.reason = "ANY", .message = "any"})}) {
    EXPECT_EQ(status.code(), Code::kResourceExhausted);
    EXPECT_GT(retry_seconds(status), 0) << status.message();
  }
  EXPECT_EQ(retry_seconds(make_status(Code::kNotFound, {.reason = "ANY", .message = "any"})), -1);
}

}  // namespace
}  // namespace sweepd::session::client_budget_test
