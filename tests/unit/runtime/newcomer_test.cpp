// SPDX-License-Identifier: MIT
//
// Protects what is known of a connection before it is taken: whose it is, by what a front says of it and no
// more than that, from which addresses, and how many of TLS may begin.
#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "runtime/connections/address_range.h"
#include "runtime/connections/handshake_rates.h"
#include "runtime/connections/proxy_header.h"

namespace sweepd::runtime::newcomer_test {
namespace {

using namespace std::chrono_literals;
using namespace std::string_literals;
using boost::asio::ip::make_address;

/// PROXY, TCP over version 4, from 192.0.2.1.
std::string proxy_header() {
  return "\r\n\r\n\0\r\nQUIT\n\x21\x11\0\x0c\xc0\0\2\1\x7f\0\0\1\x9c\x40\x1e\x61"s;
}

TEST(ProxyHeader, IsReadPieceByPieceAndNothingBehindItIs) {
  const std::string header = proxy_header();
  for (std::size_t size = 0; size < header.size(); ++size) {
    EXPECT_EQ(parse_proxy_header(std::string_view(header).substr(0, size)).state,
              ProxyHeader::State::kIncomplete)
        << size;
  }
  const ProxyHeader whole = parse_proxy_header(header + "PRI");
  EXPECT_EQ(whole.state, ProxyHeader::State::kComplete);
  EXPECT_EQ(whole.bytes, header.size());
  EXPECT_EQ(whole.client, make_address("192.0.2.1"));
}

TEST(ProxyHeader, HasAnAddressOfVersion6OrNoneAtAll) {
  const std::string address = make_address("2001:db8::1").to_string();
  const auto bytes = make_address(address).to_v6().to_bytes();
  std::string header = "\r\n\r\n\0\r\nQUIT\n\x21\x21\0\x24"s + std::string(bytes.begin(), bytes.end());
  header.resize(16 + 36);
  EXPECT_EQ(parse_proxy_header(header).client, make_address(address));
  const ProxyHeader local = parse_proxy_header("\r\n\r\n\0\r\nQUIT\n\x20\0\0\0"s);
  EXPECT_EQ(local.state, ProxyHeader::State::kComplete);
  EXPECT_FALSE(local.client);
}

/// What a front adds of a client's TLS.
std::string ssl_extra(char client, std::string_view verdict, std::string_view extras) {
  std::string content(1, client);
  content.append(verdict).append(extras);
  return "\x20\0"s + static_cast<char>(content.size()) + content;
}

ProxyHeader header_with(const std::string& extras) {
  std::string header = proxy_header();
  header[15] = static_cast<char>(header[15] + extras.size());
  return parse_proxy_header(header + extras);
}

TEST(ProxyHeader, HasTheNameOfACertificateThatHasPassed) {
  const std::string good = "\0\0\0\0"s;
  const std::string name = "\x21\0\7TLSv1.3\x22\0\3bob"s;
  EXPECT_EQ(header_with("\4\0\1x"s + ssl_extra(3, good, name)).common_name, "bob");
  EXPECT_EQ(header_with(ssl_extra(5, good, name)).common_name, "bob");
  EXPECT_EQ(header_with(ssl_extra(3, "\0\0\0\1"s, name)).common_name, "");
  EXPECT_EQ(header_with(ssl_extra(1, good, name)).common_name, "") << "no certificate";
  EXPECT_EQ(header_with(ssl_extra(2, good, name)).common_name, "") << "no TLS";
  EXPECT_EQ(header_with(ssl_extra(1, "\0\0\0\1"s, {})).state, ProxyHeader::State::kComplete);
  EXPECT_EQ(header_with({}).common_name, "");
}

TEST(ProxyHeader, WhoseExtrasAreWrongIsMalformed) {
  const std::string good = "\0\0\0\0"s;
  const std::string bob = "\x22\0\3bob"s;
  const std::string ssl = ssl_extra(3, good, bob);
  for (const std::string& extras :
       {"\x20"s, "\x20\0\5\1"s, "\x20\0\1\1"s, ssl + ssl, ssl_extra(3, good, bob + bob),
        ssl_extra(3, good, "\x22\0\4bob"s), ssl_extra(3, good, "\x22\0\3b\nb"s)}) {
    EXPECT_EQ(header_with(extras).state, ProxyHeader::State::kMalformed) << ::testing::PrintToString(extras);
  }
}

TEST(HandshakeRates, AreOfAClientAndOfAllWithSomeSecondsAtOnce) {
  HandshakeRates rates(10, 2);
  const TimePoint begin{};
  const auto taken = [&](const char* client, TimePoint now) {
    int count = 0;
    while (rates.take(client, now)) ++count;
    return count;
  };
  EXPECT_EQ(taken("one", begin), 8);
  EXPECT_EQ(taken("two", begin), 8);
  EXPECT_EQ(taken("one", begin + 1s), 2);
  EXPECT_EQ(taken("one", begin + 1h), 8) << "no more is saved up";
  int of_all = 8;
  for (int i = 0; i < 100; ++i) of_all += taken(std::to_string(i).c_str(), begin + 1h);
  EXPECT_EQ(of_all, 40);
}

TEST(HandshakeRates, ForgetClientsThatCameLongAgo) {
  HandshakeRates rates(1'000'000, 1);
  TimePoint now{};
  for (std::size_t i = 0; i < 3 * HandshakeRates::kKeysMax; ++i) {
    now += 1ms;
    EXPECT_TRUE(rates.take(std::to_string(i), now));
  }
}

TEST(ProxyHeader, ThatIsWrongOrTooLongIsMalformed) {
  const std::string signature = "\r\n\r\n\0\r\nQUIT\n"s;
  for (const std::string& rest :
       {"\x31\x11\0\x0c"s, "\x22\x11\0\x0c"s, "\x21\x11\x02\x09"s, "\x21\x11\0\0"s, "\x21\x31\0\0"s}) {
    EXPECT_EQ(parse_proxy_header(signature + rest).state, ProxyHeader::State::kMalformed);
  }
  EXPECT_EQ(parse_proxy_header("PRI * HTTP/2.0").state, ProxyHeader::State::kNone);
}

TEST(AddressRange, HasTheAddressesThatBeginWithItsBits) {
  const auto contains = [](const char* range, const char* address) {
    return AddressRange::parse(range)->contains(make_address(address));
  };
  EXPECT_TRUE(contains("10.0.0.1", "10.0.0.1"));
  EXPECT_TRUE(contains("10.0.0.1", "::ffff:10.0.0.1"));
  EXPECT_FALSE(contains("10.0.0.1", "10.0.0.2"));
  EXPECT_TRUE(contains("10.0.0.0/9", "10.127.0.1"));
  EXPECT_FALSE(contains("10.0.0.0/9", "10.128.0.1"));
  EXPECT_TRUE(contains("fd00::/8", "fd12::1"));
  EXPECT_FALSE(contains("fd00::/8", "fe80::1"));
  EXPECT_TRUE(contains("0.0.0.0/0", "1.2.3.4"));
  for (const char* wrong : {"", "10.0.0", "10.0.0.0/33", "::/129", "10.0.0.0/", "10.0.0.0/8x", "localhost"})
    EXPECT_FALSE(AddressRange::parse(wrong)) << wrong;
}

}  // namespace
}  // namespace sweepd::runtime::newcomer_test
