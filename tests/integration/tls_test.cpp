// SPDX-License-Identifier: MIT
//
// Protects what goes over the network: every listener speaks TLS 1.2 and 1.3 and nothing older, asks clients
// for certificates where it is told to, takes new certificates without losing a stream, and never speaks
// plain text to other machines unless it is told to.
#include <regex>

#include "integration/support/raw_http2.h"
#include "integration/support/tls_fixture.h"
#include "unit/inspector/http_client.h"

namespace sweepd::test::tls_test {
namespace {

using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class Tls : public TlsServerTest {
 protected:
  bool answers(const TlsProbe::Options& options = {}) {
    TlsProbe::Options asking = options;
    asking.says = hello();
    return probe_tls(server().port(), asking).answer.size() >= 9;
  }

  std::string subject() { return probe_tls(server().port()).subject; }

  /// The server's exit code, and what it says.
  std::pair<int, std::string> run_server(const std::vector<std::string>& options) {
    std::vector<std::string> command{required_environment("SWEEPD_BINARY")};
    command.insert(command.end(), options.begin(), options.end());
    Process process(command, folder_.path() / ("run-" + std::to_string(runs_++)));
    const auto code = process.wait();
    return {code.value_or(-1), process.standard_error()};
  }

  /// So many that follow matches, on connections of their own to both loops.
  std::vector<Watcher> watch(Client& client, std::size_t count) {
    std::vector<std::string> matches;
    for (int i = 0; i < 2; ++i)
      matches.push_back(client.create_match(shooter_config(ClockKind::kRealtime))->match_id);
    std::vector<Watcher> watchers;
    // Silence is what a busy machine makes, too; a stream that the server ends breaks at once.
    const ReconnectOptions patient{.silence_max = std::chrono::minutes(1)};
    for (std::size_t i = 0; i < count; ++i)
      watchers.push_back(client.watch(WatchOptions{.match_id = matches[i % 2], .reconnect = patient}));
    for (Watcher& watcher : watchers) {
      EXPECT_TRUE(is_in(watcher, SessionState::kJoined)) << watcher.error().message();
    }
    return watchers;
  }

  static void expect_all_go_on(std::vector<Watcher>& watchers) {
    for (Watcher& watcher : watchers) {
      const Tick tick = watcher.tick();
      EXPECT_TRUE(eventually([&] { return watcher.tick() > tick + 5; }));
      EXPECT_EQ(watcher.state(), SessionState::kJoined) << watcher.error().message();
      EXPECT_FALSE(watcher.poll_reconnection()) << "no stream broke";
    }
  }

  int runs_ = 0;
};

TEST_F(Tls, HasVersions12And13AndNoOlder) {
  start_tls();
  EXPECT_TRUE(answers({.version = TLS1_2_VERSION}));
  EXPECT_TRUE(answers({.version = TLS1_3_VERSION}));
  for (const int old : {TLS1_VERSION, TLS1_1_VERSION}) {
    EXPECT_FALSE(probe_tls(server().port(), {.version = old}).is_connected);
    EXPECT_FALSE(probe_tls(http_port_, {.version = old, .is_http2 = false}).is_connected);
  }
  EXPECT_GE(metric("sweepd_tls_handshakes_failed_total"), 4);
  EXPECT_GT(metric("sweepd_tls_certificate_seconds_left"), 3600);
}

TEST_F(Tls, SessionsAreNotResumed) {
  start_tls();
  for (const int version : {TLS1_2_VERSION, TLS1_3_VERSION}) {
    EXPECT_FALSE(probe_tls(server().port(), {.version = version, .says = hello()}).may_be_resumed);
    EXPECT_FALSE(
        probe_tls(http_port_, {.version = version, .says = "GET /livez HTTP/1.0\r\n\r\n", .is_http2 = false})
            .may_be_resumed);
  }
}

TEST_F(Tls, IsSpokenByTheHttpListenerToo) {
  start_tls();
  EXPECT_THAT(page("/healthz"), HasSubstr("\"tls\":\"ok\""));
  EXPECT_EQ(page("/livez"), "alive\n");
  EXPECT_THAT(page("/log-level"), HasSubstr("info"));
}

TEST_F(Tls, PlainTextIsHungUpOn) {
  start_tls();
  RawHttp2 plain(server().port(), {});
  EXPECT_TRUE(eventually([&] { return !plain.drain(); }));
  ClientOptions options = client_options();
  options.security = {};
  const auto matches = Client(options).list_matches();
  EXPECT_EQ(matches.status().code(), ErrorCode::kUnavailable);
}

TEST_F(Tls, ToAServerOfPlainTextFailsAndSaysSo) {
  start();
  const auto matches = tls_client().list_matches();
  EXPECT_EQ(matches.status().code(), ErrorCode::kUnavailable);
  EXPECT_THAT(matches.status().message(), HasSubstr("does not speak TLS"));
}

TEST_F(Tls, ClientsShowCertificatesWhereTheyAreRequired) {
  start_tls({"--tls-client-ca", path("ca.pem"), "--log-level", "debug", "--port-watchdog-ms", "100"});
  const TestCertificate good = authority_.issue({.common_name = "alice", .names = "URI:game:alice"});
  const TestCertificate stranger = TestAuthority("elsewhere").issue({.common_name = "mallory"});
  EXPECT_TRUE(answers({.client = good}));
  EXPECT_FALSE(answers());
  EXPECT_FALSE(answers({.client = stranger}));
  EXPECT_FALSE(answers({.client = authority_.issue({.common_name = "late", .is_expired = true})}));
  EXPECT_EQ(page("/livez"), "");
  EXPECT_EQ(page("/livez", good), "alive\n");
  good.write(folder_.path(), "alice");
  ClientOptions options = client_options();
  options.security.certificate_file = path("alice.pem");
  options.security.key_file = path("alice.key");
  EXPECT_EQ(Client(options).get_match("none").status().reason(), "MATCH_NOT_FOUND");
  EXPECT_TRUE(eventually([&] { return log().find("CN=alice") != std::string::npos; }))
      << "whom a certificate names is known to calls";
  EXPECT_FALSE(tls_client().list_matches().ok());
  EXPECT_TRUE(
      eventually([&] { return page("/healthz", good).find("\"connections\":\"ok\"") != std::string::npos; }));
  EXPECT_EQ(metric("sweepd_port_probe_failures_total", good), 0) << "the watchdog needs no certificate";
}

TEST_F(Tls, HandshakesThatTheServerBreaksOffAreAudited) {
  start_tls({"--tls-client-ca", path("ca.pem"), "--ws-listen", "127.0.0.1:0", "--ws-port-file", path("ws")});
  const auto is_audited = [this](const std::string& reason) {
    return eventually([&] {
      return std::regex_search(
          log(), std::regex("audit event=authentication_refused who=\"\" what=\"TLS handshake\" about=\"\" "
                            "from=ipv4:127.0.0.1:[0-9]+ match_id=\"\" outcome=UNAUTHENTICATED reason=\"" +
                            reason + "\""));
    });
  };
  const TestCertificate stranger = TestAuthority("elsewhere").issue({.common_name = "mallory"});
  answers({.version = TLS1_3_VERSION});
  EXPECT_TRUE(is_audited("peer did not return a certificate")) << log();
  answers({.client = stranger});
  EXPECT_TRUE(is_audited("certificate verify failed: unable to get local issuer certificate")) << log();
  page("/livez", authority_.issue({.common_name = "late", .is_expired = true}));
  EXPECT_TRUE(is_audited("certificate verify failed: certificate has expired")) << "by HTTP: " << log();
  answers({.version = TLS1_1_VERSION});
  EXPECT_TRUE(is_audited("(unsupported protocol|version too low)")) << log();
  RawHttp2 plain(server().port(), {});
  EXPECT_TRUE(is_audited("what came is no TLS")) << log();
  const std::string before = log();
  probe_tls(std::stoi(read_file(path("ws"))), {.is_http2 = false});
  EXPECT_TRUE(eventually([&] { return log().find("audit event=", before.size()) != std::string::npos; }))
      << "by WebSocket: " << log();
  EXPECT_TRUE(answers({.client = authority_.issue({.common_name = "alice"})}));
  const std::string all = log();
  const auto lines = [&all](const std::string& text) {
    int count = 0;
    for (std::size_t at = all.find(text); at != std::string::npos; at = all.find(text, at + 1)) ++count;
    return count;
  };
  EXPECT_EQ(lines("audit event="), 6) << "one for each, and none for who gives up or is let in: " << all;
  EXPECT_EQ(lines("mallory") + lines("BEGIN"), 0) << "nothing of what came";
}

TEST_F(Tls, ClientsMayShowCertificatesWhereTheyAreOptional) {
  start_tls({"--tls-client-ca", path("ca.pem"), "--tls-client-certs", "optional"});
  EXPECT_TRUE(answers());
  EXPECT_TRUE(answers({.client = authority_.issue({.common_name = "alice"})}));
  EXPECT_FALSE(answers({.client = TestAuthority("elsewhere").issue({})}));
}

TEST_F(Tls, NewFilesAreTakenWithoutLosingAStream) {
  start_tls({"--loops", "2"});
  Client client = tls_client();
  std::vector<Watcher> watchers = watch(client, 100);
  EXPECT_EQ(subject(), "first");
  authority_.issue({.common_name = "second"}).write(folder_.path(), "server");
  EXPECT_TRUE(eventually([&] { return subject() == "second"; }));
  EXPECT_EQ(metric("sweepd_tls_reloads_total{outcome=\"taken\"}"), 1);
  expect_all_go_on(watchers);
  EXPECT_TRUE(tls_client().list_matches().ok());
}

TEST_F(Tls, SighupReadsFilesAgainWithoutLosingAStream) {
  start_tls({"--loops", "2"});
  Client client = tls_client();
  std::vector<Watcher> watchers = watch(client, 100);
  authority_.issue({.common_name = "second"}).write(folder_.path(), "server");
  server().process().signal(SIGHUP);
  EXPECT_TRUE(
      eventually([&] { return log().find("SIGHUP: files of keys are read again") != std::string::npos; }));
  EXPECT_TRUE(eventually([&] { return subject() == "second"; }));
  expect_all_go_on(watchers);
}

TEST_F(Tls, FilesThatAreWrongAreToldAndTheFormerCertificateStays) {
  start_tls();
  const std::string key = read_file(path("server.key"));
  std::ofstream(path("server.key")) << authority_.issue({}).key;
  EXPECT_TRUE(eventually([&] { return page("/healthz").find("new files are refused") != std::string::npos; }))
      << page("/healthz");
  EXPECT_TRUE(is_logged("is not that of the first certificate")) << log();
  EXPECT_EQ(metric("sweepd_tls_reloads_total{outcome=\"refused\"}"), 1);
  EXPECT_EQ(subject(), "first");
  EXPECT_TRUE(tls_client().list_matches().ok());
  std::ofstream(path("server.key")) << key;
  EXPECT_TRUE(eventually([&] { return page("/healthz").find("\"tls\":\"ok\"") != std::string::npos; }));
}

TEST_F(Tls, ACertificateThatExpiresIsToldByHealth) {
  authority_.issue({.is_expired = true}).write(folder_.path(), "server");
  start_tls();
  EXPECT_THAT(page("/healthz"), HasSubstr("has expired"));
  EXPECT_LT(metric("sweepd_tls_certificate_seconds_left"), 0);
}

TEST_F(Tls, HandshakesInARushAreClosedBeforeTheyCostAnything) {
  start_tls({"--handshakes-per-second-per-client-max", "2"});
  int served = 0;
  for (int i = 0; i < 30; ++i) served += answers() ? 1 : 0;
  EXPECT_GE(served, 8) << "four seconds' worth at once";
  EXPECT_LT(served, 25);
  EXPECT_TRUE(eventually([&] {
    return metric("sweepd_connections_refused_total{reason=\"handshake_rate\"}") > 4;
  })) << log();
  EXPECT_TRUE(eventually([&] { return answers(); })) << "and back after a while";
}

TEST_F(Tls, ConnectionsThatFinishNoHandshakeAreClosed) {
  start_tls();
  RawHttp2::Options silent;
  silent.says_hello = false;
  RawHttp2 connection(server().port(), silent);
  const double failed = metric("sweepd_tls_handshakes_failed_total");
  EXPECT_TRUE(eventually([&] { return !connection.drain(); }));
  EXPECT_TRUE(eventually([&] { return metric("sweepd_tls_handshakes_failed_total") > failed; }));
}

TEST_F(Tls, PlainTextLeavesTheMachineOnlyWhereItIsToldTo) {
  for (const std::vector<std::string>& options : {std::vector<std::string>{"--listen", "0.0.0.0:0"},
                                                  {"--listen", "[::]:0"},
                                                  {"--http-listen", "0.0.0.0:0"}}) {
    const auto [code, said] = run_server(options);
    EXPECT_EQ(code, 1);
    EXPECT_THAT(said, AllOf(HasSubstr("--tls-cert"), HasSubstr("--insecure")));
  }
  start({"--insecure", "--http-listen", "0.0.0.0:0", "--http-port-file", path("http")});
  EXPECT_TRUE(is_logged("plain text (--insecure)")) << log();
  EXPECT_THAT(get(static_cast<std::uint16_t>(std::stoi(read_file(path("http")))), "/healthz"),
              HasSubstr("plain text (--insecure)"));
}

TEST_F(Tls, FilesAndOptionsThatAreWrongKeepTheServerFromStarting) {
  std::filesystem::permissions(path("server.key"), std::filesystem::perms(0640));
  auto [code, said] = run_server(tls_options());
  EXPECT_EQ(code, 1);
  EXPECT_THAT(said, HasSubstr("may be read or written by others"));
  authority_.issue({}).write(folder_.path(), "other");
  std::tie(code, said) = run_server({"--tls-cert", path("server.pem"), "--tls-key", path("other.key")});
  EXPECT_EQ(code, 1);
  EXPECT_THAT(said, HasSubstr("is not that of the first certificate"));
  for (const std::vector<std::string>& options : {std::vector<std::string>{"--tls-cert", path("server.pem")},
                                                  {"--tls-client-certs", "required"},
                                                  tls_options({"--tls-client-certs", "required"}),
                                                  tls_options({"--insecure"})}) {
    EXPECT_EQ(run_server(options).first, 2) << ::testing::PrintToString(options);
  }
}

TEST_F(Tls, AFrontTellsWhomItHasCheckedAndOnlyAFront) {
  // HAProxy's: PP2_TYPE_SSL with a certificate on this connection that has passed, its common name.
  const auto header = [](char verdict) {
    const std::string name = "bob";
    std::string ssl("\x03\0\0\0", 4);
    ssl += verdict;
    ssl += std::string("\x22\0\3", 3) + name;
    std::string extra("\x20\0", 2);
    extra += static_cast<char>(ssl.size());
    std::string bytes = RawHttp2::proxy_header("192.0.2.1");
    bytes[15] = static_cast<char>(bytes[15] + extra.size() + ssl.size());
    return bytes + extra + ssl;
  };
  start({"--anonymous", "--trust-front", "127.0.0.1", "--log-level", "debug"});
  const auto call = [&](const std::string& before) {
    RawHttp2::Options options;
    options.before_hello = before;
    RawHttp2 connection(server().port(), options);
    connection.send(RawHttp2::call(1, "/sweepd.v1.MatchService/GetMatch", "\n\4none"));
    EXPECT_TRUE(connection.is_served());
    eventually([&] { return connection.read_frame() == RawHttp2::kHeaders; });
  };
  call(header(1));
  EXPECT_TRUE(is_logged("call refused")) << log();
  EXPECT_THAT(log(), Not(HasSubstr("CN=bob")));
  call(header(0));
  EXPECT_TRUE(is_logged("CN=bob")) << log();
  EXPECT_TRUE(is_logged("peer=\"ipv4:192.0.2.1 through ipv4:127.0.0.1:")) << "whose address it is: " << log();
}

}  // namespace
}  // namespace sweepd::test::tls_test
