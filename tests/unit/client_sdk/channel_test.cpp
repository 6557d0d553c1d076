// SPDX-License-Identifier: MIT
//
// Protects how a session finds the match's own endpoint from what the server tells and what the game was
// given.
#include "channel.h"

#include <gtest/gtest.h>

namespace sweepd::internal::channel_test {
namespace {

TEST(Channel, AnEndpointWithoutHostIsOnTheHostOfTheServer) {
  EXPECT_EQ(target_of({"", 9000}, "game.example.org:7777"), "game.example.org:9000");
  EXPECT_EQ(target_of({"", 9000}, "127.0.0.1:7777"), "127.0.0.1:9000");
  EXPECT_EQ(target_of({"", 9000}, "[::1]:7777"), "[::1]:9000");
  EXPECT_EQ(target_of({"", 9000}, "dns:///game.example.org:7777"), "dns:///game.example.org:9000");
  EXPECT_EQ(target_of({"", 9000}, "localhost"), "localhost:9000");
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

}  // namespace
}  // namespace sweepd::internal::channel_test
