// SPDX-License-Identifier: MIT
//
// Protects the operator from typing errors.
#include "session/listen_address.h"

#include <gtest/gtest.h>

namespace sweepd::session::listen_address_test {
namespace {

TEST(ListenAddress, IsHostAndPort) {
  for (const char* text : {"127.0.0.1:7777", "localhost:0", "[::1]:65535", "game.example.com:1"}) {
    const auto address = ListenAddress::parse(text);
    ASSERT_TRUE(address) << text;
    EXPECT_EQ(address->to_string(), text);
  }
  EXPECT_EQ(ListenAddress::parse("[::1]:65535")->host, "::1");
}

TEST(ListenAddress, IsNothingElse) {
  for (const char* text :
       {"", "7777", ":7777", "localhost", "localhost:", "localhost:x", "localhost:65536", "localhost:-1",
        "localhost:77 ", "::1:7777", "[]:7777", "[[::1]:7777", "[[x]y]:7777"}) {
    EXPECT_FALSE(ListenAddress::parse(text)) << text;
  }
}

}  // namespace
}  // namespace sweepd::session::listen_address_test
