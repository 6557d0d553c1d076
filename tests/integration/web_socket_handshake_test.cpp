// SPDX-License-Identifier: MIT
//
// Protects the second door's entrance: who asks in any other way than the contract and RFC 6455 have it is
// told so by HTTP, pages of other origins stay out, tickets are asked for as at the first door and stand in
// no URL, and connections that do not come to the point are closed and counted as any.
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "integration/support/blocking_socket.h"
#include "integration/support/certificates.h"
#include "integration/support/ticket_fixture.h"
#include "integration/support/web_socket_fixture.h"

namespace sweepd::test::web_socket_handshake_test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

/// All that the server answers to those bytes until it hangs up.
std::string answer_to(int port, std::string_view bytes) {
  BlockingSocket socket(port);
  boost::system::error_code error;
  while (!bytes.empty() && !error)
    bytes.remove_prefix(socket.write_some(boost::asio::const_buffer(bytes.data(), bytes.size()), error));
  std::string answer;
  std::array<char, 1024> room{};
  for (;;) {
    const std::size_t size = socket.read_some(boost::asio::buffer(room), error);
    if (error) return answer;
    answer.append(room.data(), size);
  }
}

/// A good request, of which one line is another.
std::string request(const std::string& path, const std::string& changed = {}, const std::string& line = {}) {
  std::string text = "GET " + path + " HTTP/1.1\r\n";
  const std::vector<std::string> lines{"Host: localhost",
                                       "Upgrade: websocket",
                                       "Connection: Upgrade",
                                       "Sec-WebSocket-Version: 13",
                                       "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
                                       "Sec-WebSocket-Protocol: sweepd.v1"};
  for (const std::string& one : lines) {
    const bool is_changed = !changed.empty() && one.starts_with(changed);
    const std::string& said = is_changed ? line : one;
    if (!said.empty()) text += said + "\r\n";
  }
  return text + "\r\n";
}

class WebSocketHandshake : public WebSocketTest {
 protected:
  std::string status_of(const std::string& text) const {
    const std::string answer = answer_to(port(), text);
    return answer.size() < 12 ? answer : answer.substr(9, 3);
  }
};

TEST_F(WebSocketHandshake, IsAnsweredAsTheStandardsExampleHasIt) {
  BlockingSocket socket(port());
  boost::system::error_code error;
  const std::string text = request(kPlayPath);
  socket.write_some(boost::asio::buffer(text), error);
  std::array<char, 1024> room{};
  const std::size_t size = socket.read_some(boost::asio::buffer(room), error);
  const std::string answer(room.data(), size);
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 101 "));
  EXPECT_THAT(answer, HasSubstr("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"));
  EXPECT_THAT(answer, HasSubstr("Sec-WebSocket-Protocol: sweepd.v1\r\n"));
}

TEST_F(WebSocketHandshake, IsRefusedWhereAnythingIsMissingOrWrong) {
  EXPECT_EQ(status_of(request("/sweepd.v1.MatchService/Nothing")), "404");
  EXPECT_EQ(status_of(request("/")), "404");
  EXPECT_EQ(status_of(request(std::string(kPlayPath) + "?ticket=abc")), "400");
  EXPECT_EQ(status_of(request(kPlayPath, "Host")), "400");
  EXPECT_EQ(status_of(request(kPlayPath, "Host", "Host: a\r\nHost: b")), "400");
  EXPECT_EQ(status_of(request(kPlayPath, "Upgrade")), "426");
  EXPECT_EQ(status_of(request(kPlayPath, "Upgrade", "Upgrade: h2c")), "426");
  EXPECT_EQ(status_of(request(kPlayPath, "Connection", "Connection: close")), "426");
  EXPECT_EQ(status_of(request(kPlayPath, "Connection", "Connection: Upgrade\r\nContent-Length: 3")), "426");
  EXPECT_EQ(status_of(request(kPlayPath, "Sec-WebSocket-Version", "Sec-WebSocket-Version: 8")), "426");
  EXPECT_EQ(status_of(request(kPlayPath, "Sec-WebSocket-Key")), "400");
  EXPECT_EQ(status_of(request(kPlayPath, "Sec-WebSocket-Key", "Sec-WebSocket-Key: short")), "400");
  EXPECT_EQ(status_of(request(kPlayPath, "Sec-WebSocket-Key",
                              "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                              "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==")),
            "400");
  EXPECT_EQ(status_of(request(kPlayPath, "Sec-WebSocket-Protocol")), "400");
  EXPECT_EQ(status_of(request(kPlayPath, "Sec-WebSocket-Protocol", "Sec-WebSocket-Protocol: chat")), "400");
  EXPECT_EQ(status_of("GET / HTTP/1.0\r\n\r\n"), "505");
  EXPECT_EQ(status_of("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), "505");
  EXPECT_EQ(status_of("\x16\x03\x01 what TLS begins with\r\n\r\n"), "400");
  EXPECT_EQ(status_of(request(kPlayPath, "Host", "Host: a\r\nX: " + std::string(20'000, 'x'))), "431");
  expect_served();
}

TEST_F(WebSocketHandshake, ThatIsNoCallCostsItsConnection) {
  for (const std::string& no_call :
       {request("/sweepd.v1.MatchService/Nothing"), std::string("GET / HTTP/1.1\r\nHost: a\r\n\r\n"),
        std::string("POST /sweepd.v1.MatchService/Play HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n"),
        std::string("OPTIONS / HTTP/1.1\r\nHost: a\r\nOrigin: https://elsewhere.example\r\n\r\n")}) {
    const std::string answer = answer_to(port(), no_call + request(kPlayPath));
    EXPECT_THAT(answer, HasSubstr("Connection: close\r\n")) << no_call;
    EXPECT_EQ(answer.rfind("HTTP/1.1 "), 0u) << "what comes behind it is not answered: " << answer;
  }
  expect_served();
}

TEST_F(WebSocketHandshake, ThatIsNoCallAndSendsOnIsCutOff) {
  BlockingSocket socket(port());
  boost::system::error_code error;
  const std::string no_call = request("/");
  socket.write_some(boost::asio::buffer(no_call), error);
  ASSERT_FALSE(error);
  const std::string bytes(std::size_t{1} << 20, 'x');
  std::size_t sent = 0;
  constexpr std::size_t kMost = std::size_t{64} << 20;
  while (!error && sent < kMost) sent += socket.write_some(boost::asio::buffer(bytes), error);
  EXPECT_TRUE(error) << sent << " bytes are taken of a client that was refused";
  expect_served();
}

TEST_F(WebSocketHandshake, ThatSaysNothingOrHalfARequestIsClosedInTime) {
  EXPECT_EQ(answer_to(port(), "").substr(0, 12), "HTTP/1.1 408");
  EXPECT_EQ(answer_to(port(), "GET /sweepd.v1.MatchService/Play HT").substr(0, 12), "HTTP/1.1 408");
}

TEST_F(WebSocketHandshake, OfPagesIsRefusedWhereTheirOriginIsNotAllowed) {
  const WebSocketClient page(port(), {.headers = {{"Origin", "https://elsewhere.example"}}});
  EXPECT_EQ(page.status(), 403u);
}

TEST_F(WebSocketHandshake, OfPagesOfAllowedOriginsIsTaken) {
  serve({"--ws-origin", "https://game.example.com", "--ws-origin", "http://localhost:8080"});
  for (const auto& [origin, status] :
       {std::pair("https://game.example.com", 101u), std::pair("http://localhost:8080", 101u),
        std::pair("https://game.example.com:444", 403u), std::pair("http://game.example.com", 403u),
        std::pair("null", 403u)}) {
    const WebSocketClient page(port(), {.headers = {{"Origin", origin}}});
    EXPECT_EQ(page.status(), status) << origin;
  }
  EXPECT_EQ(WebSocketClient(port()).status(), 101u);
}

TEST_F(WebSocketHandshake, OfTooManyConnectionsOfAClientIsRefused) {
  serve({"--connections-per-client-max", "4"});
  std::vector<std::unique_ptr<WebSocketClient>> streams;
  for (int i = 0; i < 4; ++i) streams.push_back(open());
  WebSocketClient beyond(port());
  EXPECT_EQ(beyond.status(), 0u);
  streams.clear();
  EXPECT_TRUE(eventually([&] { return WebSocketClient(port()).status() == 101; }));
}

TEST_F(WebSocketHandshake, OfTooManyStreamsOfAClientIsTakenAndEndsWithAStatus) {
  serve({"--streams-per-client-max", "2"});
  const std::string match = create(ClockKind::kManual);
  const auto one = open();
  const auto two = open();
  ASSERT_TRUE(one->join(match, "one").has_joined());
  ASSERT_TRUE(two->join(match, "two").has_joined());
  const auto three = open();
  EXPECT_EQ(three->end().code, 4008u);
  EXPECT_EQ(three->end().detail_reason(), "TOO_MANY_STREAMS");
}

TEST_F(WebSocketHandshake, OfTheServersOwnWatchdogIsAnswered) {
  serve({"--port-watchdog-ms", "20"});
  for (int i = 0; i < 10; ++i) expect_served();
  EXPECT_THAT(server().process().standard_error(), ::testing::Not(HasSubstr("does not answer")));
}

class WebSocketTls : public WebSocketTest {
 protected:
  void SetUp() override {
    authority_.issue({}).write(files_.path(), "server");
    serve({"--tls-cert", (files_.path() / "server.pem").string(), "--tls-key",
           (files_.path() / "server.key").string()});
  }
  TemporaryFolder files_;
  TestAuthority authority_{"authority"};
};

TEST_F(WebSocketTls, EncryptsStreamsAndServesNoOthers) {
  const auto stream = open({.is_tls = true});
  v1::PlayRequest request;
  request.mutable_join()->set_match_id(std::string(300'000, 'x'));
  request.mutable_join()->set_name("ann");
  request.mutable_join()->set_role(v1::ROLE_PLAYER);
  stream->send_in_fragments(request.SerializeAsString(), 10'000);
  EXPECT_EQ(stream->end().detail_reason(), "MATCH_NOT_FOUND");
  EXPECT_EQ(WebSocketClient(port()).status(), 0u);
}

class WebSocketTickets : public TicketServerTest {
 protected:
  void SetUp() override {
    TicketServerTest::SetUp();
    const std::string port_file = path("ws-port");
    start_with_tickets({"--ws-listen", "127.0.0.1:0", "--ws-port-file", port_file});
    port_ = std::stoi(read_file(port_file));
    match_ = created(backend("studio"));
  }

  WebSocketClient::Options in_subprotocol(const std::string& token) const {
    return {.subprotocols = "sweepd.ticket." + token + ", sweepd.v1"};
  }
  WebSocketClient::Options in_header(const std::string& token) const {
    return {.headers = {{"Authorization", "Bearer " + token}}};
  }

  int port_ = 0;
  std::string match_;
};

TEST_F(WebSocketTickets, AreShownInASubprotocolOrAHeader) {
  const std::string token = player("ann", match_);
  for (const auto& options : {in_subprotocol(token), in_header(token)}) {
    WebSocketClient stream(port_, options);
    ASSERT_EQ(stream.status(), 101u);
    EXPECT_EQ(stream.subprotocol(), "sweepd.v1");
    EXPECT_TRUE(stream.join(match_, "ann").has_joined());
    stream.close(1000);
    EXPECT_EQ(stream.end().code, 1000u);
  }
}

TEST_F(WebSocketTickets, AreAskedForAndLookedAtAsAtTheFirstDoor) {
  WebSocketClient without(port_);
  EXPECT_EQ(without.end().code, 4016u);
  EXPECT_EQ(without.end().detail_reason(), "TICKET_REQUIRED");
  WebSocketClient wrong(port_, in_subprotocol("a.b.c"));
  EXPECT_EQ(wrong.end().code, 4016u);
  WebSocketClient elsewhere(port_, in_header(player("ann", created(backend("studio")))));
  (void)elsewhere.join(match_, "ann");
  EXPECT_EQ(elsewhere.end().code, 4007u);
  EXPECT_TRUE(is_logged("ipv4:127.0.0.1:")) << log();
}

}  // namespace
}  // namespace sweepd::test::web_socket_handshake_test
