// SPDX-License-Identifier: MIT
//
// Protects the entrance of the second door: where tickets are looked for, which pages may come in, and how
// much of a request is read.
#include "ws/upgrade.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <variant>

namespace sweepd::ws::upgrade_test {
namespace {

using ::testing::HasSubstr;

std::string request(const std::string& more = {}) {
  return "GET /sweepd.v1.MatchService/Play HTTP/1.1\r\nHost: a\r\nUpgrade: WebSocket\r\n"
         "Connection: keep-alive, Upgrade\r\nSec-WebSocket-Version: 13\r\n"
         "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n" +
         more + "\r\n";
}

HttpHead head_of(const std::string& text) {
  const auto parsed = parse_head(text);
  return std::get<ParsedHead>(parsed.value()).head;
}

Upgrade upgrade_of(const std::string& more) {
  return std::get<Upgrade>(read_upgrade(head_of(request(more)), Origins()));
}

TEST(HttpHead, IsThereWhenItsLastByteIsAndLeavesWhatFollows) {
  const std::string text = request();
  for (std::size_t bytes = 0; bytes < text.size(); ++bytes)
    ASSERT_FALSE(parse_head(std::string_view(text).substr(0, bytes))) << bytes;
  EXPECT_EQ(std::get<ParsedHead>(*parse_head(text + "frames")).bytes, text.size());
}

TEST(HttpHead, IsRefusedWhenItIsTooLarge) {
  const std::string text = "GET / HTTP/1.1\r\nX: " + std::string(kHeadBytesMax, 'x');
  EXPECT_EQ(std::get<HttpRefusal>(*parse_head(text)).status, 431u);
}

TEST(Upgrade, TakesItsTicketFromASubprotocolOrAHeaderAndPrefersTheFirst) {
  EXPECT_EQ(upgrade_of("Sec-WebSocket-Protocol: sweepd.v1\r\n").token, "");
  EXPECT_EQ(upgrade_of("Sec-WebSocket-Protocol: sweepd.ticket.a.b.c , sweepd.v1\r\n").token, "a.b.c");
  EXPECT_EQ(
      upgrade_of("Sec-WebSocket-Protocol: sweepd.v1\r\nSec-WebSocket-Protocol: sweepd.ticket.d\r\n").token,
      "d");
  EXPECT_EQ(upgrade_of("Sec-WebSocket-Protocol: sweepd.v1\r\nAuthorization: bearer e.f\r\n").token, "e.f");
  EXPECT_EQ(upgrade_of("Sec-WebSocket-Protocol: sweepd.v1\r\nAuthorization: Basic e.f\r\n").token, "");
}

TEST(Upgrade, IsAnsweredWithoutTheTicket) {
  const auto upgrade = upgrade_of("Sec-WebSocket-Protocol: sweepd.ticket.secret, sweepd.v1\r\n");
  const std::string answer = accept_upgrade(upgrade, "request-7");
  EXPECT_THAT(answer, HasSubstr("x-request-id: request-7\r\n"));
  EXPECT_THAT(answer, ::testing::Not(HasSubstr("secret")));
}

TEST(Origins, AllowThoseThatAreListedAndClientsThatAreNoPages) {
  const auto allows = [](const Origins& origins, const std::string& line) {
    return origins.allow(head_of(request(line)));
  };
  EXPECT_TRUE(allows(Origins(), ""));
  EXPECT_FALSE(allows(Origins(), "Origin: http://a\r\n"));
  EXPECT_TRUE(allows(Origins({"http://A"}), "Origin: http://a\r\n"));
  EXPECT_FALSE(allows(Origins({"http://a"}), "Origin: http://a.b\r\n"));
  EXPECT_FALSE(allows(Origins({"http://a"}), "Origin: http://a\r\nOrigin: http://a\r\n"));
  EXPECT_FALSE(allows(Origins({"http://a"}), "Origin: \r\n"));
  EXPECT_TRUE(allows(Origins({"*"}), "Origin: null\r\n"));
}

}  // namespace
}  // namespace sweepd::ws::upgrade_test
