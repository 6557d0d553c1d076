// SPDX-License-Identifier: MIT
//
// Protects players from servers that are not theirs: the SDK talks only to a server with the right name, of a
// known issuer, in its time, wherever it is led to, and says which of these is wrong. A token never leaves
// the machine in plain text.
#include "integration/support/tls_fixture.h"

namespace sweepd::test::tls_client_test {
namespace {

using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::HasSubstr;

class TlsClient : public TlsServerTest {
 protected:
  Status error_of(const ClientOptions& options) { return Client(options).list_matches().status(); }

  void serve(const TestAuthority::Request& request, std::vector<std::string> options = {}) {
    authority_.issue(request).write(folder_.path(), "server");
    start_tls(std::move(options));
  }

  /// The server by another name than the address.
  ClientOptions options_by_name() {
    ClientOptions options = client_options();
    options.server = "localhost:" + std::to_string(server().port());
    return options;
  }
};

TEST_F(TlsClient, TrustsAServerOfItsIssuerAndName) {
  start_tls();
  EXPECT_TRUE(error_of(client_options()).ok()) << error_of(client_options()).message();
  EXPECT_TRUE(error_of(options_by_name()).ok());
}

TEST_F(TlsClient, TrustsTheIssuersOfTheSystem) {
  start_tls();
  ClientOptions options = client_options();
  options.security.ca_file.clear();
  const Status unknown = error_of(options);
  EXPECT_THAT(unknown.message(), HasSubstr("the system's certificates"));
  setenv("SSL_CERT_FILE", path("ca.pem").c_str(), 1);
  EXPECT_TRUE(error_of(options).ok()) << error_of(options).message();
  unsetenv("SSL_CERT_FILE");
}

TEST_F(TlsClient, SaysThatTheIssuerIsUnknown) {
  start_tls();
  std::ofstream(path("other.pem")) << TestAuthority("other").certificate();
  ClientOptions options = client_options();
  options.security.ca_file = path("other.pem");
  const Status error = error_of(options);
  EXPECT_EQ(error.code(), ErrorCode::kUnavailable);
  EXPECT_THAT(error.message(), AllOf(::testing::StartsWith("the server's certificate"),
                                     HasSubstr("is of an issuer that is not in " + path("other.pem"))));
}

TEST_F(TlsClient, SaysThatTheNameIsAnother) {
  serve({.names = "DNS:game.example.com"});
  EXPECT_THAT(error_of(client_options()).message(),
              AllOf(HasSubstr("is not for 127.0.0.1"), HasSubstr("game.example.com")));
  ClientOptions options = client_options();
  options.security.server_name = "game.example.com";
  EXPECT_TRUE(error_of(options).ok()) << error_of(options).message();
  options.security.server_name = "example.com";
  EXPECT_THAT(error_of(options).message(), HasSubstr("is not for example.com"));
}

TEST_F(TlsClient, TakesNoCommonNameForTheNameOfAHost) {
  serve({.common_name = "127.0.0.1", .names = "DNS:elsewhere"});
  EXPECT_THAT(error_of(client_options()).message(), HasSubstr("is not for 127.0.0.1"));
}

TEST_F(TlsClient, SaysThatTheCertificateHasExpired) {
  serve({.is_expired = true});
  EXPECT_THAT(error_of(client_options()).message(), HasSubstr("has expired"));
}

TEST_F(TlsClient, ASessionFailsAsClearlyAsACall) {
  serve({.names = "DNS:game.example.com"});
  Watcher watcher = Client(client_options()).watch("any");
  ASSERT_TRUE(is_in(watcher, SessionState::kFailed));
  EXPECT_THAT(watcher.error().message(), HasSubstr("is not for 127.0.0.1"));
}

TEST_F(TlsClient, IsToldThatItHasToShowACertificate) {
  start_tls({"--tls-client-ca", path("ca.pem")});
  EXPECT_THAT(error_of(client_options()).message(), HasSubstr("certificate of the client"));
}

TEST_F(TlsClient, SaysWhichFileIsWrong) {
  start_tls();
  std::ofstream(path("empty.pem")) << "";
  ClientOptions options = client_options();
  options.security.ca_file = path("empty.pem");
  EXPECT_THAT(error_of(options).message(), HasSubstr("empty.pem"));
  options = client_options();
  options.security.certificate_file = path("server.pem");
  EXPECT_EQ(error_of(options).field(), "security.key_file");
  authority_.issue({}).write(folder_.path(), "other");
  options.security.key_file = path("other.key");
  EXPECT_THAT(error_of(options).message(), HasSubstr("has not the key of"));
  options.security.key_file = path("none.key");
  EXPECT_THAT(error_of(options).message(), HasSubstr("none.key"));
  options = {};
  options.security.ca_file = path("ca.pem");
  EXPECT_EQ(error_of(options).field(), "security.tls");
}

/// What `sweepctl load` says of a page of metrics.
class LoadByTls : public TlsClient {
 protected:
  std::unique_ptr<Process> load(const std::string& metrics, std::vector<std::string> options) {
    options.insert(options.begin(), {"load", "--matches", "1", "--duration", "0.5", "--warm-up", "0.1",
                                     "--metrics", metrics + ":" + std::to_string(http_port_)});
    return run_sweepctl(options);
  }
  std::string error_of_load(const std::string& metrics, const std::vector<std::string>& options) {
    const auto run = load(metrics, options);
    EXPECT_EQ(run->wait(), 1);
    return run->standard_error();
  }
};

TEST_F(LoadByTls, ReadsTheMetricsOfAServerItTrusts) {
  start_tls({"--tls-client-ca", path("ca.pem")});
  authority_.issue({}).write(folder_.path(), "own");
  const auto run = load("https://127.0.0.1", {"--ca", path("ca.pem"), "--cert", path("own.pem"), "--key",
                                              path("own.key"), "--json", path("load.json")});
  EXPECT_EQ(run->wait(), 0) << run->standard_error();
  EXPECT_THAT(read_file(path("load.json")), HasSubstr("sweepd_frames_total"));
}

TEST_F(LoadByTls, SaysWhyItDoesNotTrustTheServerOfTheMetrics) {
  serve({.names = "DNS:localhost"});
  const std::vector<std::string> trust = {"--ca", path("ca.pem")};
  EXPECT_THAT(error_of_load("https://127.0.0.1", trust), HasSubstr("IP address mismatch"));
  EXPECT_THAT(error_of_load("https://localhost", {"--tls"}), HasSubstr("--ca names the file of its issuer"));
  std::ofstream(path("empty.pem")) << "";
  EXPECT_THAT(error_of_load("https://localhost", {"--ca", path("empty.pem")}), HasSubstr("empty.pem: "));
  EXPECT_THAT(error_of_load("http://localhost", trust), HasSubstr("is asked by https://"));
}

// The endpoint's host is an address that the certificate does not have: the server's name holds there, too.
TEST_F(TlsClient, FollowsEndpointsToTheServerOfTheSameName) {
  serve({.names = "DNS:localhost"}, {"--loops", "2", "--advertise-host", "127.0.0.1"});
  Client client(options_by_name());
  for (int i = 0; i < 4; ++i) {
    const auto match = client.create_match(shooter_config(ClockKind::kRealtime));
    ASSERT_TRUE(match.ok()) << match.status().message();
    EXPECT_EQ(match->endpoint.host, "127.0.0.1");
    Session session = joined(client, match->match_id, "player", Role::kPlayer);
    EXPECT_TRUE(eventually([&] { return session.tick() > 2; }));
  }
  EXPECT_EQ(metric("sweepd_tls_handshakes_failed_total"), 0);
}

TEST_F(TlsClient, FollowsNoEndpointToAServerOfAnotherName) {
  serve({.names = "DNS:localhost"});
  TestAuthority stranger("stranger");
  stranger.issue({.names = "DNS:localhost"}).write(folder_.path(), "stranger");
  const ServerProcess other(
      {"--tls-cert", path("stranger.pem"), "--tls-key", path("stranger.key"), "--log-level", "debug"});
  const ServerProcess leading(tls_options({"--advertise", "127.0.0.1:" + std::to_string(other.port())}));
  ClientOptions options = client_options();
  options.server = "localhost:" + std::to_string(leading.port());
  Client client(options);
  const auto match = client.create_match(shooter_config(ClockKind::kRealtime));
  ASSERT_TRUE(match.ok()) << match.status().message();
  EXPECT_EQ(match->endpoint.port, static_cast<std::uint32_t>(other.port()));
  Session session = joined(client, match->match_id, "player", Role::kPlayer);
  EXPECT_TRUE(eventually([&] { return session.tick() > 2; })) << "the server itself serves it";
}

TEST_F(TlsClient, ATokenIsNotSentInPlainTextToOtherMachines) {
  start();
  ClientOptions options;
  options.security.token = "secret";
  for (const char* elsewhere : {"192.0.2.1:7777", "game.example.com:7777", "[2001:db8::1]:7777"}) {
    options.server = elsewhere;
    const auto begin = std::chrono::steady_clock::now();
    const Status error = error_of(options);
    EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument) << elsewhere;
    EXPECT_EQ(error.field(), "security.token");
    EXPECT_LT(std::chrono::steady_clock::now() - begin, 1s) << "nothing is tried";
    Watcher watcher = Client(options).watch("any");
    EXPECT_EQ(watcher.state(), SessionState::kFailed);
  }
  options.server = server().address();
  EXPECT_TRUE(error_of(options).ok());
  options.security.token = "two words\r\n";
  EXPECT_EQ(error_of(options).field(), "security.token");
  options.security.token.clear();
  options.security.fresh_token = [] { return std::string(); };
  EXPECT_EQ(error_of(options).field(), "security.fresh_token");
}

TEST_F(TlsClient, SweepctlAndItsLoadTalkTls) {
  start_tls({"--loops", "2", "--tls-client-ca", path("ca.pem"), "--tls-client-certs", "optional"});
  authority_.issue({.common_name = "operator"}).write(folder_.path(), "operator");
  std::ofstream(path("token")) << "secret\n";
  const auto listed = run_sweepctl({"ls", "--ca", path("ca.pem"), "--cert", path("operator.pem"), "--key",
                                    path("operator.key"), "--token-file", path("token")});
  EXPECT_EQ(listed->wait(), 0) << listed->standard_error();
  const auto refused = run_sweepctl({"ls", "--tls"});
  EXPECT_EQ(refused->wait(), 1);
  EXPECT_THAT(refused->standard_error(), HasSubstr("the server's certificate"));
  const auto load = run_sweepctl({"load", "--ca", path("ca.pem"), "--token-file", path("token"), "--matches",
                                  "2", "--warm-up", "0.2", "--duration", "0.5"});
  EXPECT_EQ(load->wait(), 0) << load->standard_error();
}

}  // namespace
}  // namespace sweepd::test::tls_client_test
