// SPDX-License-Identifier: MIT
//
// Protects how a session finds the match's own endpoint from what the server tells and what the game was
// given.
#include "channel.h"

#include <gtest/gtest.h>

#include "sweepd/client.h"

namespace sweepd::internal::channel_test {
namespace {

TEST(Channel, AnEndpointWithoutHostIsOnTheHostOfTheServer) {
  EXPECT_EQ(target_of({"", 9000}, "game.example.org:7777"), "game.example.org:9000");
  EXPECT_EQ(target_of({"", 9000}, "127.0.0.1:7777"), "127.0.0.1:9000");
  EXPECT_EQ(target_of({"", 9000}, "[::1]:7777"), "[::1]:9000");
  EXPECT_EQ(target_of({"", 9000}, "dns:///game.example.org:7777"), "dns:///game.example.org:9000");
}

TEST(Channel, AnEndpointWithHostIsTakenAsItIs) {
  EXPECT_EQ(target_of({"10.0.0.2", 9000}, "127.0.0.1:7777"), "10.0.0.2:9000");
  EXPECT_EQ(target_of({"fd00::2", 9000}, "127.0.0.1:7777"), "[fd00::2]:9000");
  EXPECT_EQ(target_of({"[fd00::2]", 9000}, "127.0.0.1:7777"), "[fd00::2]:9000");
}

TEST(Channel, WithoutAnEndpointTheServerItselfServesTheMatch) {
  EXPECT_EQ(target_of({"", 0}, "127.0.0.1:7777"), "127.0.0.1:7777");
  EXPECT_EQ(target_of({"", 9000}, "unix:/run/sweepd.sock"), "unix:/run/sweepd.sock");
}

TEST(Channel, AnEndpointThatIsNoHostAndPortLeadsToTheServer) {
  for (const char* host : {"unix:/run/secret", "dns:///elsewhere", "ipv4:10.0.0.1", "a/b", "a b", "a:b",
                           "[a]", "[", "[::1", "xds:///x", "\n", "%2f"}) {
    EXPECT_EQ(target_of({host, 9000}, "127.0.0.1:7777"), "127.0.0.1:7777") << host;
  }
  EXPECT_EQ(target_of({"10.0.0.2", 65'536}, "127.0.0.1:7777"), "127.0.0.1:7777");
}

TEST(Channel, AServerIsAHostAndPortOrOfADocumentedScheme) {
  for (const char* server :
       {"127.0.0.1:7777", "localhost:1", "game-1.example.org:65535", "[::1]:7777", "[fe80::1%eth0]:7777",
        "dns:///game.example.org:7777", "unix:/run/sweepd.sock", "unix:///run/sweepd.sock"}) {
    EXPECT_FALSE(check_server(server)) << server;
  }
  for (const char* server : {"",
                             "localhost",
                             "localhost:",
                             ":7777",
                             "localhost:0",
                             "localhost:65536",
                             "localhost:7777x",
                             "localhost:+1",
                             "::1:7777",
                             "[::1]",
                             "[]:1",
                             "unix:",
                             "dns:///x",
                             "dns://8.8.8.8/x:1",
                             "dns:x:1",
                             "ipv4:127.0.0.1:7777",
                             "ipv6:[::1]:7777",
                             "xds:///x:1",
                             "unix-abstract:x:1",
                             "http://localhost:7777",
                             "a b:1"}) {
    const Checked error = check_server(server);
    ASSERT_TRUE(error) << server;
    EXPECT_EQ(error->field, "server");
  }
}

TEST(Channel, AClientOfNoServerFailsEveryCallAndSessionAtOnce) {
  Client client({.server = "localhost"});
  const Status call = client.get_match("match").status();
  EXPECT_EQ(call.code(), ErrorCode::kInvalidArgument);
  EXPECT_EQ(call.field(), "server");
  EXPECT_EQ(client.get_receipt("match").status().field(), "server");
  EXPECT_EQ(client.verify_replay("bytes").status().field(), "server");
  const Session session = client.join({.match_id = "match", .name = "player"});
  EXPECT_EQ(session.state(), SessionState::kFailed);
  EXPECT_EQ(session.error().field(), "server");
  EXPECT_EQ(client.watch("match").error().field(), "server");
}

}  // namespace
}  // namespace sweepd::internal::channel_test
