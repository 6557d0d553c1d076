// SPDX-License-Identifier: MIT
//
// Protects the operator from typing errors and from two servers that share a port unawares.
#include "rpc/listen_address.h"

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

namespace sweepd::rpc {
namespace {

using boost::asio::ip::tcp;

TEST(ListenAddress, IsHostAndPort) {
  for (const char* text : {"127.0.0.1:7777", "localhost:0", "[::1]:65535", "game.example.com:1"}) {
    const auto address = ListenAddress::parse(text);
    ASSERT_TRUE(address) << text;
    EXPECT_EQ(address->to_string(), text);
  }
  EXPECT_EQ(ListenAddress::parse("[::1]:65535")->host, "::1");
}

TEST(ListenAddress, IsNothingElse) {
  for (const char* text : {"", "7777", ":7777", "localhost", "localhost:", "localhost:x", "localhost:65536",
                           "localhost:-1", "localhost:77 ", "::1:7777", "[]:7777"}) {
    EXPECT_FALSE(ListenAddress::parse(text)) << text;
  }
}

TEST(ListenAddress, APortThatIsTakenIsAnObstacleEvenIfItsOwnerWouldShare) {
  boost::asio::io_context context;
  tcp::acceptor acceptor(context, tcp::v4());
  using ReusePort = boost::asio::detail::socket_option::boolean<SOL_SOCKET, SO_REUSEPORT>;
  acceptor.set_option(tcp::acceptor::reuse_address(true));
  acceptor.set_option(ReusePort(true));
  acceptor.bind({boost::asio::ip::address_v4::loopback(), 0});
  acceptor.listen();
  const ListenAddress address{"127.0.0.1", acceptor.local_endpoint().port()};
  EXPECT_EQ(find_obstacle(address), "Address already in use");
  acceptor.close();
  EXPECT_FALSE(find_obstacle(address));
}

TEST(ListenAddress, AHostOfSomebodyElseIsAnObstacle) {
  EXPECT_TRUE(find_obstacle({"192.0.2.1", 7777}));  // Reserved for documentation.
}

}  // namespace
}  // namespace sweepd::rpc
