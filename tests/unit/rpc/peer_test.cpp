// SPDX-License-Identifier: MIT
//
// Protects clients from being charged for others: a peer is known by the address in gRPC's name of it.
#include "rpc/peer.h"

#include <gtest/gtest.h>

#include <memory>

#include "runtime/budgets/client_limits.h"
#include "session/backend.h"

namespace sweepd::rpc::peer_test {
namespace {

using boost::asio::ip::make_address;

std::unique_ptr<session::Backend> backend() {
  runtime::ClientLimits limits;
  limits.memory_max = std::uint64_t{1} << 30;
  return std::make_unique<session::Backend>(1, 10, runtime::budget_limits(limits, 1024, 10, 10), limits);
}

TEST(Peer, IsKnownByGrpcsNameOfIt) {
  const auto endpoint = endpoint_of_peer("ipv4:10.0.0.1:40000");
  ASSERT_TRUE(endpoint);
  EXPECT_EQ(endpoint->address(), make_address("10.0.0.1"));
  EXPECT_EQ(endpoint->port(), 40'000);
  EXPECT_EQ(endpoint_of_peer("ipv6:%5B2001:db8::1%5D:1")->address(), make_address("2001:db8::1"));
  EXPECT_EQ(endpoint_of_peer("ipv6:[::1]:1")->address(), make_address("::1"));
  for (const char* other : {"", "unix:/run/sweepd", "ipv4:", "ipv4:10.0.0.1", "ipv4:10.0.0.1:x", "ipv6:::"})
    EXPECT_FALSE(endpoint_of_peer(other)) << other;
}

TEST(Peer, PaysAsTheAddressOrOfTheClientBehindAFront) {
  const auto server = backend();
  EXPECT_EQ(key_of_peer(*server, "ipv4:10.0.0.1:40000").text(), "10.0.0.1");
  EXPECT_EQ(key_of_peer(*server, "ipv6:%5B2001:db8::1%5D:1").text(), "2001:db8::/64");
  EXPECT_EQ(key_of_peer(*server, "unix:/run/sweepd").text(), "unix:/run/sweepd");
  server->connections.add(0, {make_address("10.0.0.1"), 40'001}, {}, make_address("192.0.2.7"));
  EXPECT_EQ(key_of_peer(*server, "ipv4:10.0.0.1:40001").text(), "192.0.2.7");
  EXPECT_EQ(key_of_peer(*server, "ipv4:10.0.0.1:40000").text(), "10.0.0.1");
}

}  // namespace
}  // namespace sweepd::rpc::peer_test
