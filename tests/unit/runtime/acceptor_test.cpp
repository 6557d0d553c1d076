// SPDX-License-Identifier: MIT
//
// Protects the server's ports: who comes is counted for as long as the connection is there and no longer,
// what is over the budgets is closed, a front is believed and only a front, and a port that does not answer
// is noticed.
#include "runtime/connections/acceptor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <functional>
#include <thread>

#include "runtime/connections/port_watchdog.h"
#include "runtime/connections/socket_facts.h"

namespace sweepd::runtime::acceptor_test {
namespace {

using namespace std::chrono_literals;
using namespace std::string_literals;
using boost::asio::ip::make_address;
using boost::asio::ip::tcp;

constexpr std::size_t kOfKey = 2;

bool eventually(const std::function<bool()>& condition) {
  const auto deadline = std::chrono::steady_clock::now() + 20s;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(1ms);
  }
  return true;
}

class AcceptorTest : public ::testing::Test {
 protected:
  ~AcceptorTest() override {
    acceptor_.stop();
    for (const int descriptor : taken_) close(descriptor);
  }

  void listen() {
    const auto port = acceptor_.listen("127.0.0.1", 0, [this](int descriptor, bool /*is_own*/) {
      taken_.push_back(descriptor);
      ++taken_count_;
      if (!says_hello_) return;
      EXPECT_EQ(::send(descriptor, "\0\0\0\4\0\0\0\0\0", 9, 0), 9);
    });
    ASSERT_TRUE(port) << port.error();
    port_ = *port;
    acceptor_.start();
  }

  tcp::socket connect(const std::string& says = {}, const char* from = "127.0.0.1") {
    tcp::socket socket(context_, {make_address(from), 0});
    boost::system::error_code error;
    socket.connect({make_address("127.0.0.1"), port_}, error);
    if (!says.empty()) boost::asio::write(socket, boost::asio::buffer(says), error);
    return socket;
  }

  static bool is_closed(tcp::socket& socket) {
    char byte = 0;
    boost::system::error_code error;
    socket.read_some(boost::asio::buffer(&byte, 1), error);
    return static_cast<bool>(error);
  }

  static BudgetLimits limits() {
    BudgetLimits all{};
    all[Resource::kConnections].of_key[KeyKind::kAddress] = kOfKey;
    all[Resource::kConnections].in_all = 100;
    return all;
  }

  boost::asio::io_context context_;
  Budgets budgets_{limits()};
  ConnectionTable table_{1024};
  Acceptor acceptor_{
      budgets_, table_, {*AddressRange::parse("127.0.0.1"), *AddressRange::parse("127.0.0.2")}};
  std::vector<int> taken_;  ///< Of the acceptor's thread, until it has stopped.
  std::atomic<int> taken_count_ = 0;
  std::atomic<bool> says_hello_ = true;
  std::uint16_t port_ = 0;
};

/// PROXY, TCP over version 4, from 192.0.2.1.
std::string proxy_header(char last = 1) {
  std::string header = "\r\n\r\n\0\r\nQUIT\n\x21\x11\0\x0c\xc0\0\2"s;
  header += last;
  header += "\x7f\0\0\1\x9c\x40\x1e\x61"s;
  return header;
}

TEST_F(AcceptorTest, PassesOnAsManyAsAClientMayHaveAndFurtherOnesWhenThoseAreClosed) {
  listen();
  tcp::socket first = connect(proxy_header());
  tcp::socket second = connect(proxy_header());
  ASSERT_TRUE(eventually([&] { return taken_count_ == 2; }));
  tcp::socket third = connect(proxy_header());
  EXPECT_TRUE(is_closed(third));
  EXPECT_TRUE(eventually([&] { return acceptor_.refusals(ConnectionRefusal::kClientLimit) == 1; }));
  tcp::socket other = connect(proxy_header(2));
  ASSERT_TRUE(eventually([&] { return taken_count_ == 3; }));
  close(taken_.front());  // The table is not told.
  taken_.erase(taken_.begin());
  std::vector<tcp::socket> again;
  EXPECT_TRUE(eventually([&] {
    again.push_back(connect(proxy_header()));
    return taken_count_ == 4;
  }));
}

TEST_F(AcceptorTest, TellsWhoIsBehindAFrontForAsLongAsTheConnectionIsThere) {
  listen();
  tcp::socket socket = connect(proxy_header());
  ASSERT_TRUE(eventually([&] { return taken_count_ == 1; }));
  ASSERT_TRUE(table_.find(socket.local_endpoint()).client);
  EXPECT_EQ(table_.find(socket.local_endpoint()).client->address, make_address("192.0.2.1"));
  close(taken_.front());
  taken_.clear();
  table_.sweep();
  EXPECT_EQ(table_.find(socket.local_endpoint()).use, nullptr);
  EXPECT_EQ(table_.size(), 0u);
  EXPECT_EQ(budgets_.taken(Resource::kConnections), 0u);
}

TEST_F(AcceptorTest, TakesTheHeaderOfAFrontAndNothingElseOfWhatItSays) {
  listen();
  const std::string header = proxy_header();
  tcp::socket socket = connect(header.substr(0, 5));
  std::this_thread::sleep_for(20ms);
  boost::asio::write(socket, boost::asio::buffer(header.substr(5) + "hello"));
  ASSERT_TRUE(eventually([&] { return taken_count_ == 1; }));
  std::string said(5, '\0');
  EXPECT_TRUE(eventually(
      [&] { return ::recv(taken_.front(), said.data(), said.size(), MSG_PEEK | MSG_DONTWAIT) == 5; }));
  EXPECT_EQ(said, "hello");
}

TEST_F(AcceptorTest, ClosesAFrontsConnectionWhoseHeaderIsWrong) {
  listen();
  tcp::socket socket = connect("\r\n\r\n\0\r\nQUIT\n\x33\x11\0\0"s);
  EXPECT_TRUE(is_closed(socket));
  EXPECT_TRUE(eventually([&] { return acceptor_.refusals(ConnectionRefusal::kProxyHeader) == 1; }));
}

TEST_F(AcceptorTest, HalfHeadersOfAFrontMakeRoomForWholeOnesAndForAnotherFrontsHalfOnes) {
  listen();
  const std::string header = proxy_header();
  tcp::socket slow = connect(header.substr(0, 5), "127.0.0.2");
  std::vector<tcp::socket> halves;
  for (int i = 0; i < 300; ++i) halves.push_back(connect(header.substr(0, 5)));
  tcp::socket whole = connect(header);
  ASSERT_TRUE(eventually([&] { return taken_count_ == 1; })) << "though none of the halves has ended";
  boost::asio::write(slow, boost::asio::buffer(header.substr(5)));
  ASSERT_TRUE(eventually([&] { return taken_count_ == 2; }));
  EXPECT_GE(acceptor_.refusals(ConnectionRefusal::kProxyHeader), 200u) << "few of them wait at once";
}

TEST_F(AcceptorTest, ListensAnewOnTheSamePort) {
  listen();
  const auto endpoint = acceptor_.endpoints().front();
  EXPECT_EQ(endpoint.port(), port_);
  acceptor_.listen_anew(endpoint);
  EXPECT_TRUE(eventually([&] {
    tcp::socket socket = connect("PRI");
    return taken_count_ > 0;
  }));
}

TEST_F(AcceptorTest, SaysWhyItCannotListen) {
  listen();
  Acceptor second(budgets_, table_, {});
  const auto port = second.listen("127.0.0.1", port_, [](int, bool) {});
  ASSERT_FALSE(port);
  EXPECT_EQ(port.error(), "Address already in use");
  EXPECT_FALSE(second.listen("192.0.2.1", 7777, [](int, bool) {})) << "an address for documentation";
}

TEST_F(AcceptorTest, TheWatchdogTellsAPortThatDoesNotAnswerAndOneThatDoesAgain) {
  listen();
  Health health;
  PortWatchdog watchdog(acceptor_, table_, &health, {.period = 10ms, .patience = 50ms});
  const auto is_ok = [&] {
    const auto component = health.find("connections");
    return component && component->is_ok();
  };
  watchdog.start();
  EXPECT_TRUE(is_ok());
  says_hello_ = false;
  EXPECT_TRUE(eventually([&] { return !is_ok(); }));
  EXPECT_THAT(health.find("connections")->failure, ::testing::HasSubstr("port " + std::to_string(port_)));
  EXPECT_GT(watchdog.failures(), 0u);
  says_hello_ = true;
  EXPECT_TRUE(eventually(is_ok));
  EXPECT_EQ(budgets_.taken(Resource::kConnections), 0u) << "its own connections are no client's";
  watchdog.stop();
}

/// Connections of a table whose owner reads what comes.
class ConnectionTableTest : public ::testing::Test {
 protected:
  ConnectionTableTest() {
    for (int i = 0; i < 3; ++i) {
      clients_.emplace_back(context_).connect(acceptor_.local_endpoint());
      servers_.push_back(acceptor_.accept());
      table_.add(servers_.back().native_handle(), servers_.back().remote_endpoint(), {});
    }
  }

  void send(std::size_t client, std::size_t bytes) { carry(clients_[client], servers_[client], bytes); }
  void hear(std::size_t client, std::size_t bytes) { carry(servers_[client], clients_[client], bytes); }
  static void carry(tcp::socket& from, tcp::socket& to, std::size_t bytes) {
    const std::string sent(bytes, 'a');
    std::thread writer([&] { boost::asio::write(from, boost::asio::buffer(sent)); });
    std::string received(bytes, '\0');
    boost::asio::read(to, boost::asio::buffer(received));
    writer.join();
  }
  ConnectionUse& use_of(std::size_t client) { return *table_.find(clients_[client].local_endpoint()).use; }
  void count_message(std::size_t client) { ++use_of(client).messages; }

  /// Which are not ended.
  std::vector<std::size_t> open() {
    std::vector<std::size_t> indexes;
    for (std::size_t i = 0; i < servers_.size(); ++i) {
      boost::system::error_code error;
      boost::asio::write(servers_[i], boost::asio::buffer("a", 1), error);
      if (!error) indexes.push_back(i);
    }
    return indexes;
  }

  /// The next look that is due.
  std::size_t end_unruly() { return table_.end_unruly_if_due(now_ += 1h); }

  boost::asio::io_context context_;
  tcp::acceptor acceptor_{context_, {make_address("127.0.0.1"), 0}};
  static constexpr std::size_t kCallsMax = 10;
  ConnectionTable table_{kCallsMax};
  std::vector<tcp::socket> clients_;
  std::vector<tcp::socket> servers_;
  TimePoint now_ = steady_now();
};

TEST_F(ConnectionTableTest, EndsTheConnectionWithMostBytesOfNoMessageAndNoOther) {
  EXPECT_EQ(table_.end_heaviest(), 0u) << "none has sent much";
  send(1, 3 << 20);
  send(2, 1000);
  EXPECT_EQ(table_.end_heaviest(), 1u);
  EXPECT_EQ(open(), (std::vector<std::size_t>{0, 2}));
  EXPECT_EQ(table_.end_heaviest(), 0u) << "it is ended once";
}

TEST_F(ConnectionTableTest, EndsAConnectionThatBringsMuchAndNoMessage) {
  send(1, ConnectionTable::kUnheardBytesMax);
  EXPECT_EQ(end_unruly(), 0u);
  send(1, 1);
  EXPECT_EQ(end_unruly(), 1u);
  EXPECT_EQ(open(), (std::vector<std::size_t>{0, 2}));
  EXPECT_EQ(end_unruly(), 0u) << "it is ended once";
}

TEST_F(ConnectionTableTest, LeavesAConnectionAloneForAsLongAsItBringsMessages) {
  for (int i = 0; i < 5; ++i) {
    send(1, ConnectionTable::kUnheardBytesMax / 2);
    count_message(1);
    EXPECT_EQ(end_unruly(), 0u);
  }
  EXPECT_EQ(table_.end_heaviest(), 0u) << "short memory is not its fault";
}

TEST_F(ConnectionTableTest, LeavesAConnectionAloneThatAcknowledgesWhatItHears) {
  for (int i = 0; i < 5; ++i) {
    hear(1, ConnectionTable::kUnheardBytesMax);
    send(1, ConnectionTable::kUnheardBytesMax / 2);
    EXPECT_EQ(end_unruly(), 0u);
  }
  send(1, ConnectionTable::kUnheardBytesMax + 1);
  EXPECT_EQ(end_unruly(), 1u);
}

TEST_F(ConnectionTableTest, EndsAConnectionThatHasManyMoreCallsThanItIsAllowed) {
  use_of(1).calls = 2 * kCallsMax;
  EXPECT_EQ(end_unruly(), 0u) << "some of them may have just ended";
  ++use_of(1).calls;
  EXPECT_EQ(end_unruly(), 1u);
  EXPECT_EQ(open(), (std::vector<std::size_t>{0, 2}));
}

constexpr auto kShort = ConnectionTable::kCaptureTime / 2;
constexpr auto kCaptured = ConnectionTable::kCaptureTime + 1ms;
constexpr auto kCapturedForLong = ConnectionTable::kLongCaptureTime;
/// More than is read of calls in the longest of these times.
constexpr std::size_t kLargeBytes = kCapturedForLong.count() * (15 << 10);

/// A thread in its second turn, which has worked for so long.
ConnectionTable::Captive captive(std::chrono::milliseconds worked) {
  return {.thread = 1, .turn = 2, .cpu_time = 1s + worked};
}

TEST_F(ConnectionTableTest, EndsTheConnectionThatKeepsItsReaderFromEverythingElse) {
  EXPECT_EQ(table_.end_captors(captive(0ms)), 0u) << "the first look";
  send(0, 10'000);
  send(1, 50'000);
  EXPECT_EQ(table_.end_captors(captive(kShort)), 0u) << "it may come back yet";
  EXPECT_EQ(table_.end_captors(captive(kCaptured)), 1u);
  EXPECT_EQ(open(), (std::vector<std::size_t>{0, 2}));
}

TEST_F(ConnectionTableTest, LeavesAConnectionAloneWhoseMessagesTakeItsReaderLong) {
  EXPECT_EQ(table_.end_captors(captive(0ms)), 0u) << "the first look";
  send(1, 50'000);
  use_of(1).message_bytes += 40'000;
  EXPECT_EQ(table_.end_captors(captive(kCaptured)), 0u) << "it uploads what is slow to take";
  send(1, 40'000);
  EXPECT_EQ(table_.end_captors(captive(kCaptured)), 1u) << "what is no message counts";
  EXPECT_EQ(open(), (std::vector<std::size_t>{0, 2}));
}

TEST_F(ConnectionTableTest, EndsNoConnectionOfAReaderThatHasComeBackMeanwhile) {
  EXPECT_EQ(table_.end_captors(captive(0ms)), 0u);
  send(1, 50'000);
  ConnectionTable::Captive later = captive(kCaptured);
  later.turn = 3;
  EXPECT_EQ(table_.end_captors(later), 0u);
  EXPECT_EQ(open().size(), 3u);
}

TEST_F(ConnectionTableTest, LooksAtEachCaptiveByItself) {
  EXPECT_EQ(table_.end_captors(captive(0ms)), 0u);
  send(1, 20'000);
  ConnectionTable::Captive other = captive(0ms);
  other.thread = 2;
  EXPECT_EQ(table_.end_captors(other), 0u) << "its first look";
  send(1, 20'000);
  EXPECT_EQ(table_.end_captors(captive(kCaptured)), 1u);
  EXPECT_EQ(open(), (std::vector<std::size_t>{0, 2}));
}

TEST_F(ConnectionTableTest, EndsNoConnectionForAMessageThatIsLarge) {
  EXPECT_EQ(table_.end_captors(captive(0ms)), 0u);
  send(1, kLargeBytes);
  EXPECT_EQ(table_.end_captors(captive(kCaptured)), 0u);
  EXPECT_EQ(open().size(), 3u);
}

TEST_F(ConnectionTableTest, EndsTheConnectionThatKeepsItsReaderForLongHoweverFastItIsRead) {
  EXPECT_EQ(table_.end_captors(captive(0ms)), 0u);
  send(1, kLargeBytes);
  EXPECT_EQ(table_.end_captors(captive(kCaptured)), 0u) << "it may be a large message";
  EXPECT_EQ(table_.end_captors(captive(kCapturedForLong)), 1u);
  EXPECT_EQ(open(), (std::vector<std::size_t>{0, 2}));
}

TEST_F(ConnectionTableTest, EndsAllConnectionsOfAClientThatOffendsAgainAndKeepsItOut) {
  const BudgetKey client = key_of_address(make_address("127.0.0.1"));
  use_of(1).calls = 2 * kCallsMax + 1;
  EXPECT_EQ(end_unruly(), 1u);
  EXPECT_FALSE(table_.is_kept_out(client));
  use_of(0).calls = 2 * kCallsMax + 1;
  EXPECT_EQ(end_unruly(), 2u) << "the one that has done nothing, too";
  EXPECT_TRUE(table_.is_kept_out(client));
  EXPECT_FALSE(table_.is_kept_out(key_of_address(make_address("127.0.0.2"))));
}

TEST(Offenders, AreKeptOutForAWhileFromTheirSecondOffenceInAMinute) {
  Offenders offenders;
  const TimePoint begin = steady_now();
  offenders.note("a", begin);
  EXPECT_FALSE(offenders.is_kept_out("a", begin));
  offenders.note("a", begin + 61s);
  EXPECT_FALSE(offenders.is_kept_out("a", begin + 61s)) << "the first is forgotten";
  offenders.note("a", begin + 70s);
  EXPECT_TRUE(offenders.is_kept_out("a", begin + 79s));
  EXPECT_FALSE(offenders.is_kept_out("b", begin + 79s));
  EXPECT_FALSE(offenders.is_kept_out("a", begin + 81s));
}

TEST(Offenders, AreRememberedInABoundedNumber) {
  Offenders offenders;
  const TimePoint begin = steady_now();
  for (std::size_t i = 0; i <= Offenders::kKeysMax; ++i) {
    offenders.note(std::to_string(i), begin + std::chrono::microseconds(i));
    offenders.note(std::to_string(i), begin + std::chrono::microseconds(i));
  }
  EXPECT_FALSE(offenders.is_kept_out("0", begin + 1s)) << "the first of them is forgotten";
  EXPECT_TRUE(offenders.is_kept_out("1", begin + 1s));
  EXPECT_TRUE(offenders.is_kept_out(std::to_string(Offenders::kKeysMax), begin + 1s));
}

TEST(SocketFacts, EndNoConnectionThatHasTakenTheNumberOfAnother) {
  std::array<int, 2> pair{};
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, pair.data()), 0);
  const auto number = socket_number(pair[0]);
  ASSERT_TRUE(number);
  end_connection(pair[0], *number + 1);
  EXPECT_EQ(::send(pair[0], "a", 1, MSG_NOSIGNAL), 1);
  end_connection(pair[0], *number);
  EXPECT_EQ(::send(pair[0], "a", 1, MSG_NOSIGNAL), -1);
  close(pair[0]);
  EXPECT_FALSE(socket_number(pair[0]));
  close(pair[1]);
}

}  // namespace
}  // namespace sweepd::runtime::acceptor_test
