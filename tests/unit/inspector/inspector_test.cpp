// SPDX-License-Identifier: MIT
//
// Protects the server from whoever speaks HTTP to it, well or badly, and the operator who has to get an
// answer in spite of them.
#include "inspector/inspector.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "unit/inspector/http_client.h"

namespace sweepd::inspector::inspector_test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using std::chrono::steady_clock;
using test::HttpClient;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr const char* kRequest = "GET /livez HTTP/1.1\r\nHost: a\r\n\r\n";

class InspectorTest : public ::testing::Test {
 protected:
  void start(InspectorOptions options = {}) {
    inspector_ = std::make_unique<Inspector>(
        options,
        Sources{.metrics_text = [this] { return metrics_; },
                .components = [] { return std::vector<runtime::ComponentHealth>{{.name = "server"}}; },
                .log_level = [this] { return log_level_.load(); },
                .set_log_level = [this](runtime::LogLevel level) { log_level_ = level; },
                .told_change =
                    [this](const std::string& peer, std::string_view path, std::string_view refusal) {
                      EXPECT_THAT(peer, StartsWith("ipv4:127.0.0.1:"));
                      EXPECT_EQ(path, "/log-level");
                      ++(refusal.empty() ? changes_ : refusals_);
                    }});
    ASSERT_EQ(inspector_->start(), std::nullopt);
  }

  std::uint16_t port() const { return inspector_->port(); }

  /// What the server says to `bytes` before it hangs up.
  std::string answer_to(std::string_view bytes) {
    HttpClient client(port());
    client.send(bytes);
    return client.rest();
  }

  void expect_alive() { EXPECT_THAT(test::get(port(), "/livez"), HasSubstr("200 OK")); }

  std::atomic<runtime::LogLevel> log_level_ = runtime::LogLevel::kInfo;
  std::atomic<int> changes_ = 0;
  std::atomic<int> refusals_ = 0;
  std::string metrics_ = "sweepd_matches 1\n";
  std::unique_ptr<Inspector> inspector_;
};

TEST_F(InspectorTest, ServesItsPages) {
  start();
  const std::string metrics = test::get(port(), "/metrics");
  EXPECT_THAT(metrics, StartsWith("HTTP/1.1 200 OK\r\n"));
  EXPECT_THAT(metrics, HasSubstr("Content-Type: text/plain; version=0.0.4; charset=utf-8\r\n"));
  EXPECT_THAT(metrics, EndsWith("\r\n\r\nsweepd_matches 1\n"));
  EXPECT_THAT(test::get(port(), "/readyz"), EndsWith("\r\n\r\nready\n"));
  EXPECT_THAT(test::get(port(), "/healthz?verbose=1"), EndsWith("\r\n\r\n{\"server\":\"ok\"}\n"));
  EXPECT_THAT(test::get(port(), "/nothing"), StartsWith("HTTP/1.1 404 Not Found\r\n"));
}

TEST_F(InspectorTest, HeadIsAnsweredLikeGetWithoutTheBody) {
  start();
  HttpClient client(port());
  client.send("HEAD /metrics HTTP/1.1\r\nHost: a\r\n\r\n");
  const std::string head = client.response(false);
  EXPECT_THAT(head, HasSubstr("Content-Length: 17\r\n"));
  client.send(kRequest);
  EXPECT_THAT(client.response(), StartsWith("HTTP/1.1 200 OK\r\n"))
      << "a body would come before the next answer";
}

TEST_F(InspectorTest, OtherMethodsAreRefusedAndTheirBodiesNotRead) {
  start();
  for (const char* method : {"POST", "PUT", "DELETE", "OPTIONS", "CONNECT", "PATCH"}) {
    const std::string answer =
        answer_to(std::string(method) + " /metrics HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nGET /");
    EXPECT_THAT(answer, StartsWith("HTTP/1.1 405 Method Not Allowed\r\n")) << method;
    EXPECT_THAT(answer, HasSubstr("Allow: GET, HEAD\r\n"));
    EXPECT_THAT(answer, HasSubstr("Connection: close\r\n"));
    EXPECT_THAT(answer, Not(HasSubstr("200 OK")));
  }
}

TEST_F(InspectorTest, TheLogLevelIsTheOneThingThatCanBePut) {
  start();
  HttpClient client(port());
  client.send("PUT /log-level?level=debug HTTP/1.1\r\nHost: localhost:9464\r\n\r\n");
  EXPECT_THAT(client.response(), EndsWith("\r\n\r\ndebug\n"));
  EXPECT_EQ(log_level_, runtime::LogLevel::kDebug);
  client.send("PUT /log-level?level=loud HTTP/1.1\r\nHost: localhost:9464\r\n\r\n");
  EXPECT_THAT(client.response(), StartsWith("HTTP/1.1 400 Bad Request\r\n"));
  client.send("PUT /log-level HTTP/1.1\r\nHost: localhost:9464\r\n\r\n");
  EXPECT_THAT(client.response(), StartsWith("HTTP/1.1 400 Bad Request\r\n"));
  client.send("GET /log-level HTTP/1.1\r\nHost: a\r\n\r\n");
  EXPECT_THAT(client.response(), EndsWith("\r\n\r\ndebug\n"));
  const std::string answer =
      answer_to("POST /log-level?level=off HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nlevel=off");
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 405 Method Not Allowed\r\n"));
  EXPECT_THAT(answer, HasSubstr("Allow: GET, HEAD, PUT\r\n"));
  EXPECT_EQ(log_level_, runtime::LogLevel::kDebug);
  EXPECT_EQ(changes_, 1) << "what is changed is told for the audit";
  EXPECT_EQ(refusals_, 0);
}

TEST_F(InspectorTest, TheLogLevelIsNotChangedForWhomAProxyOfThisMachineAsks) {
  start();
  const auto answer_with = [this](const std::string& headers) {
    HttpClient client(port());
    client.send("PUT /log-level?level=trace HTTP/1.1\r\n" + headers + "\r\n");
    return client.response();
  };
  for (const char* headers :
       {"Host: sweepd.example\r\n", "Host: 10.0.0.1:9464\r\n", "Host: localhost.example\r\n",
        "Host: [::2]\r\n", "Host: [\r\n", "Host: \r\n", "Host: localhost\r\nForwarded: for=192.0.2.1\r\n",
        "Host: localhost\r\nX-Forwarded-For: 192.0.2.1\r\n", "Host: localhost\r\nx-real-ip: 192.0.2.1\r\n",
        "Host: localhost\r\nVia: 1.1 proxy\r\n", "Host: localhost\r\nOrigin: http://localhost\r\n"}) {
    const std::string answer = answer_with(headers);
    EXPECT_THAT(answer, StartsWith("HTTP/1.1 403 Forbidden\r\n")) << headers;
    EXPECT_THAT(answer, HasSubstr("which no proxy has passed on")) << headers;
  }
  EXPECT_EQ(log_level_, runtime::LogLevel::kInfo);
  EXPECT_EQ(refusals_, 11) << "each is told for the audit";
  for (const char* host :
       {"localhost", "LOCALHOST:1", "127.0.0.1", "127.0.0.2:9464", "[::1]", "[::1]:9464"}) {
    log_level_ = runtime::LogLevel::kInfo;
    EXPECT_THAT(answer_with("Host: " + std::string(host) + "\r\n"), EndsWith("\r\n\r\ntrace\n")) << host;
    EXPECT_EQ(log_level_, runtime::LogLevel::kTrace) << host;
  }
}

TEST_F(InspectorTest, AConnectionServesOneRequestAfterTheOther) {
  start();
  HttpClient client(port());
  for (int i = 0; i < 100; ++i) {
    ASSERT_TRUE(client.send(kRequest));
    ASSERT_THAT(client.response(), EndsWith("alive\n"));
  }
  client.half_close();
  EXPECT_TRUE(client.is_at_end());
}

TEST_F(InspectorTest, AnOldClientIsAnsweredAndLeft) {
  start();
  EXPECT_THAT(answer_to("GET /livez HTTP/1.0\r\n\r\n"), EndsWith("alive\n"));
}

TEST_F(InspectorTest, RequestsSentAheadAreAnsweredInOrder) {
  start();
  std::string requests;
  for (int i = 0; i < 1000; ++i) {
    requests += "GET /none HTTP/1.1\r\nHost: a\r\n\r\n";
    requests += kRequest;
  }
  HttpClient client(port());
  std::thread sender([&] { EXPECT_TRUE(client.send(requests)); });
  for (int i = 0; i < 1000; ++i) {
    ASSERT_THAT(client.response(), StartsWith("HTTP/1.1 404 "));
    ASSERT_THAT(client.response(), StartsWith("HTTP/1.1 200 "));
  }
  sender.join();
}

TEST_F(InspectorTest, GarbageIsABadRequest) {
  start();
  const std::string binary("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 15);
  for (const std::string& garbage :
       {std::string("hello\r\n\r\n"), binary, std::string("GET\r\n\r\n"),
        std::string("GET /livez HTTP/9.9\r\n\r\n"), std::string("GET /livez HTTP/1.1\r\nno colon\r\n\r\n"),
        std::string("\r\n\r\n\r\n\r\n"), std::string("GET /livez HTTP/1.1\r\nContent-Length: -1\r\n\r\n"),
        std::string("GET /livez HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n")}) {
    EXPECT_THAT(answer_to(garbage), StartsWith("HTTP/1.1 400 Bad Request\r\n")) << garbage;
  }
  expect_alive();
}

TEST_F(InspectorTest, TheAnswerToGarbageArrivesWithMuchMoreBehindIt) {
  start();
  EXPECT_THAT(answer_to("hello\r\n\r\n" + std::string(50'000, 'x')), StartsWith("HTTP/1.1 400 "));
  answer_to("hello\r\n\r\n" + std::string(10'000'000, 'x'));
  expect_alive();
}

TEST_F(InspectorTest, AHeaderMayHaveEightKibibytes) {
  start();
  const auto request = [](std::size_t size) {
    const std::string begin = "GET /livez HTTP/1.1\r\nConnection: close\r\nA: ";
    return begin + std::string(size - begin.size() - 4, 'x') + "\r\n\r\n";
  };
  EXPECT_THAT(answer_to(request(8000)), StartsWith("HTTP/1.1 200 "));
  EXPECT_THAT(answer_to(request(8400)), StartsWith("HTTP/1.1 431 "));
  EXPECT_THAT(answer_to("GET /" + std::string(100'000, 'a')), StartsWith("HTTP/1.1 431 "));
  EXPECT_THAT(
      answer_to("GET /livez HTTP/1.1\r\n" + std::string(3000, 'a') + ": b\r\n" + std::string(9000, 'b')),
      StartsWith("HTTP/1.1 431 "));
}

TEST_F(InspectorTest, HalfARequestThatEndsIsNotAnswered) {
  start();
  for (const char* half : {"", "G", "GET /livez HTTP/1.1\r\nHost"}) {
    HttpClient client(port());
    client.send(half);
    client.half_close();
    EXPECT_THAT(client.rest(), Not(HasSubstr("200 OK"))) << half;
  }
  expect_alive();
}

TEST_F(InspectorTest, WhoSaysNothingIsLeftWhenPatienceEnds) {
  start({.patience = milliseconds(200)});
  HttpClient silent(port());
  EXPECT_TRUE(silent.is_at_end());
  HttpClient kept(port());
  kept.send(kRequest);
  EXPECT_THAT(kept.response(), EndsWith("alive\n"));
  EXPECT_TRUE(kept.is_at_end()) << "patience for the next request ends as well";
}

TEST_F(InspectorTest, WhoSendsAByteNowAndThenGainsNoTime) {
  start({.patience = milliseconds(500)});
  HttpClient slow(port());
  const auto begin = steady_clock::now();
  slow.send("GET /livez HTTP/1.1\r\nA: ");
  while (slow.send("x") && steady_clock::now() - begin < seconds(20))
    std::this_thread::sleep_for(milliseconds(20));
  EXPECT_LT(steady_clock::now() - begin, seconds(20));
}

TEST_F(InspectorTest, WhoTakesNoAnswerIsLeftWhenPatienceEnds) {
  metrics_ = std::string(20'000'000, '#');
  start({.connections_max = 1, .patience = milliseconds(500)});
  HttpClient deaf(port());
  deaf.send("GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n");
  const auto deadline = steady_clock::now() + seconds(20);
  std::string answer;
  while (answer.empty() && steady_clock::now() < deadline) answer = test::get(port(), "/livez");
  EXPECT_THAT(answer, HasSubstr("200 OK")) << "its place is free again";
}

TEST_F(InspectorTest, ALargeAnswerArrivesWhole) {
  metrics_ = std::string(20'000'000, '#');
  start();
  EXPECT_THAT(test::get(port(), "/metrics").size(), ::testing::Gt(20'000'000u));
}

TEST_F(InspectorTest, AConnectionTooManyTakesThePlaceOfTheFirstThatWaits) {
  start({.connections_max = 3});
  std::vector<std::unique_ptr<HttpClient>> clients;
  for (int i = 0; i < 3; ++i) {
    clients.push_back(std::make_unique<HttpClient>(port()));
    clients.back()->send(kRequest);
    ASSERT_THAT(clients.back()->response(), EndsWith("alive\n"));
  }
  clients.front()->send("GET /liv");  // That is no request yet.
  HttpClient further(port());
  further.send(kRequest);
  EXPECT_THAT(further.response(), EndsWith("alive\n"));
  EXPECT_TRUE(clients.front()->is_at_end());
  clients.back()->send(kRequest);
  EXPECT_THAT(clients.back()->response(), EndsWith("alive\n")) << "the others are served on";
}

TEST_F(InspectorTest, HalfRequestsKeepNoOtherFromBeingServed) {
  start();
  std::vector<std::unique_ptr<HttpClient>> halves;
  for (int i = 0; i < 200; ++i) {
    halves.push_back(std::make_unique<HttpClient>(port()));
    halves.back()->send("GET /met");
    if (i % 20 != 0) continue;
    ASSERT_THAT(test::get(port(), "/livez"), HasSubstr("200 OK")) << "after " << i;
  }
}

TEST_F(InspectorTest, AConnectionTooManyIsClosedWhereAllAreBeingAnswered) {
  metrics_ = std::string(20'000'000, '#');
  start({.connections_max = 1});
  auto deaf = std::make_unique<HttpClient>(port());
  deaf->send("GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n");
  ASSERT_TRUE(deaf->is_answered());
  EXPECT_TRUE(HttpClient(port()).is_at_end());
  deaf.reset();
  const auto deadline = steady_clock::now() + seconds(20);
  std::string answer;
  while (answer.empty() && steady_clock::now() < deadline) answer = test::get(port(), "/livez");
  EXPECT_THAT(answer, HasSubstr("200 OK"));
}

TEST_F(InspectorTest, AnAddressThatTakesNoAnswersMakesRoomForOthers) {
  metrics_ = std::string(20'000'000, '#');
  start({.connections_max = 4});
  std::vector<std::unique_ptr<HttpClient>> deaf;
  for (int i = 0; i < 4; ++i) {
    deaf.push_back(std::make_unique<HttpClient>(port(), 2));
    deaf.back()->send("GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n");
    ASSERT_TRUE(deaf.back()->is_answered());
  }
  HttpClient other(port());
  other.send(kRequest);
  EXPECT_THAT(other.response(), EndsWith("alive\n"));
  EXPECT_TRUE(HttpClient(port(), 2).is_at_end()) << "for itself it makes none";
  other.send(kRequest);
  EXPECT_THAT(other.response(), EndsWith("alive\n")) << "and takes that of no other";
}

TEST_F(InspectorTest, AnAddressWithMostPlacesTakesThoseOfNoOther) {
  start({.connections_max = 4});
  HttpClient other(port());
  other.send(kRequest);
  ASSERT_THAT(other.response(), EndsWith("alive\n"));
  std::vector<std::unique_ptr<HttpClient>> many;
  for (int i = 0; i < 20; ++i) {
    many.push_back(std::make_unique<HttpClient>(port(), 2));
    many.back()->send(kRequest);
    EXPECT_THAT(many.back()->response(), EndsWith("alive\n"));
  }
  other.send(kRequest);
  EXPECT_THAT(other.response(), EndsWith("alive\n"));
}

TEST_F(InspectorTest, ManyClientsAtOnceAreAllServed) {
  start();
  std::atomic<int> served = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 16; ++i) {
    threads.emplace_back([&] {
      for (int round = 0; round < 50; ++round) {
        if (test::get(port(), "/metrics").ends_with("sweepd_matches 1\n")) ++served;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(served, 16 * 50);
}

TEST_F(InspectorTest, StopsAtOnceWhateverItsClientsDo) {
  metrics_ = std::string(20'000'000, '#');
  start();
  HttpClient silent(port());
  HttpClient half(port());
  half.send("GET /li");
  HttpClient deaf(port());
  deaf.send("GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n");
  HttpClient served(port());
  served.send(kRequest);
  EXPECT_THAT(served.response(), EndsWith("alive\n"));
  const auto begin = steady_clock::now();
  inspector_->stop();
  EXPECT_LT(steady_clock::now() - begin, seconds(10));
  EXPECT_TRUE(silent.is_at_end());
  EXPECT_TRUE(served.is_at_end());
  EXPECT_FALSE(HttpClient(port()).is_connected());
  inspector_->stop();
}

TEST_F(InspectorTest, APortThatIsTakenIsToldWithItsAddress) {
  start();
  Inspector second({.port = port()}, {.metrics_text = [] { return ""; },
                                      .components = [] { return std::vector<runtime::ComponentHealth>(); }});
  EXPECT_EQ(second.start(),
            "cannot listen for HTTP on 127.0.0.1:" + std::to_string(port()) + ": Address already in use");
  EXPECT_EQ(test::get(port(), "/livez").ends_with("alive\n"), true);
}

TEST_F(InspectorTest, AHostThatIsNotOursIsToldWithItsAddress) {
  Inspector inspector({.host = "192.0.2.1", .port = 80},
                      {.metrics_text = [] { return ""; },
                       .components = [] { return std::vector<runtime::ComponentHealth>(); }});
  EXPECT_THAT(inspector.start().value_or(""), HasSubstr("192.0.2.1:80: Cannot assign requested address"));
}

TEST_F(InspectorTest, APortThatWasLeftCanBeTakenAtOnce) {
  start();
  HttpClient client(port());
  client.send(kRequest);
  client.response();
  const std::uint16_t same = port();
  inspector_->stop();
  start({.port = same});
  expect_alive();
}

}  // namespace
}  // namespace sweepd::inspector::inspector_test
