// SPDX-License-Identifier: MIT
//
// Protects clients from being charged for others: a peer is known by the address in gRPC's name of it.
#include "rpc/peer.h"

#include <gtest/gtest.h>

#include "runtime/local_peer.h"

namespace sweepd::rpc::peer_test {
namespace {

using boost::asio::ip::make_address;

TEST(Peer, AtAUnixSocketIsKnownByTheNameThatItsListenerGivesIt) {
  const auto peer = runtime::local_peer_in("unix-abstract:sweepd.uid1000.pid77.123");
  ASSERT_TRUE(peer);
  EXPECT_EQ(peer->user, 1000u);
  EXPECT_EQ(peer->process, 77);
  for (const char* other : {"unix:", "unix:/run/user/1000/x", "unix-abstract:sweepd.uid.pid7.1",
                            "unix-abstract:sweepd.uid7.1", "ipv4:10.0.0.1:40000", ""}) {
    EXPECT_FALSE(runtime::local_peer_in(other)) << other;
  }
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

}  // namespace
}  // namespace sweepd::rpc::peer_test
