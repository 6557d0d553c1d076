// SPDX-License-Identifier: MIT
//
// Protects who is behind the front that deploy/haproxy ships: it checks the certificates of clients and tells
// the server whom they name, in plain text on one machine and by TLS to another.
#include <unistd.h>

#include "integration/support/ticket_fixture.h"

namespace sweepd::test::front_certificate_test {
namespace {

using ::testing::HasSubstr;

class FrontCertificate : public TlsServerTest {
 protected:
  void TearDown() override {
    if (front_ != nullptr) {
      EXPECT_TRUE(front_->is_running()) << front_->standard_error();
    }
    front_.reset();
    TlsServerTest::TearDown();
  }

  void start_front(const std::vector<std::string>& environment) {
    const TestCertificate own = authority_.issue({.names = "DNS:localhost,IP:127.0.0.1"});
    std::ofstream(path("front.pem")) << own.certificate << own.key;
    port_ = free_port();
    std::vector<std::string> command{"/usr/bin/env",
                                     "PATH=/usr/sbin:/usr/bin:/bin",
                                     "SWEEPD_FRONT=127.0.0.1:" + std::to_string(port_),
                                     "SWEEPD_SERVER=" + server().address(),
                                     "SWEEPD_CERTIFICATE=" + path("front.pem"),
                                     "SWEEPD_CLIENT_CA=" + path("ca.pem")};
    command.insert(command.end(), environment.begin(), environment.end());
    command.insert(
        command.end(),
        {"haproxy", "-db", "-f", required_environment("SWEEPD_SOURCE_DIR") + "/deploy/haproxy/haproxy.cfg"});
    front_ = std::make_unique<Process>(command, folder_.path() / "front");
    ASSERT_TRUE(eventually(
        [&] { return probe_tls(port_, {.says = hello()}).answer.size() >= 9 || !front_->is_running(); }));
    ASSERT_TRUE(front_->is_running())
        << "no HAProxy (deploy/install-packages.sh test): " << front_->standard_error();
  }

  ClientOptions options_through_front() {
    ClientOptions options = client_options();
    options.server = "127.0.0.1:" + std::to_string(port_);
    options.follow_endpoint = false;
    return options;
  }

  void expect_the_server_knows_carol() {
    authority_.issue({.common_name = "carol"}).write(folder_.path(), "carol");
    ClientOptions options = options_through_front();
    EXPECT_EQ(Client(options).get_match("none").status().reason(), "MATCH_NOT_FOUND");
    EXPECT_TRUE(eventually([&] { return log().find("call refused") != std::string::npos; }));
    EXPECT_EQ(log().find("CN="), std::string::npos) << "no certificate is shown: " << log();
    options.security.certificate_file = path("carol.pem");
    options.security.key_file = path("carol.key");
    EXPECT_EQ(Client(options).get_match("none").status().reason(), "MATCH_NOT_FOUND");
    EXPECT_TRUE(eventually([&] { return log().find("CN=carol") != std::string::npos; })) << log();
  }

  std::unique_ptr<Process> front_;
  int port_ = 0;
};

TEST_F(FrontCertificate, IsToldToTheServerOfThisMachine) {
  start({"--loops", "1", "--anonymous", "--trust-front", "127.0.0.1", "--log-level", "debug"});
  start_front({});
  expect_the_server_knows_carol();
}

TEST_F(FrontCertificate, IsToldToAServerThatSpeaksTls) {
  start(tls_options({"--loops", "1", "--anonymous", "--trust-front", "127.0.0.1", "--log-level", "debug"}));
  start_front({"SWEEPD_SERVER_CA=" + path("ca.pem"), "SWEEPD_SERVER_NAME=localhost"});
  expect_the_server_knows_carol();
}

TEST_F(FrontCertificate, GoesWithTheTicketOfASessionOfTheSdk) {
  write_private_file(path("keys.json"), sample_key_set());
  start({"--loops", "1", "--ticket-keys", path("keys.json"), "--trust-front", "127.0.0.1", "--log-level",
         "debug"});
  start_front({});
  authority_.issue({.common_name = "carol"}).write(folder_.path(), "carol");
  ClientOptions options = options_through_front();
  options.security.certificate_file = path("carol.pem");
  options.security.key_file = path("carol.key");
  EXPECT_EQ(Client(options).create_match(shooter_config(ClockKind::kRealtime)).status().reason(),
            "TICKET_REQUIRED");
  options.security.token = backend("studio");
  Client client(options);
  const auto match = client.create_match(shooter_config(ClockKind::kRealtime));
  ASSERT_TRUE(match.ok()) << match.status().message();
  Session session = joined(client, match->match_id, "player", Role::kPlayer);
  EXPECT_TRUE(eventually([&] { return session.tick() > 5; }));
  EXPECT_TRUE(eventually([&] { return log().find("CN=carol") != std::string::npos; })) << log();
}

TEST_F(FrontCertificate, OfAnotherIssuerIsHungUpOn) {
  start({"--loops", "1", "--anonymous", "--trust-front", "127.0.0.1"});
  start_front({});
  TestAuthority("elsewhere").issue({.common_name = "mallory"}).write(folder_.path(), "mallory");
  ClientOptions options = options_through_front();
  options.security.certificate_file = path("mallory.pem");
  options.security.key_file = path("mallory.key");
  EXPECT_EQ(Client(options).list_matches().status().code(), ErrorCode::kUnavailable);
}

}  // namespace
}  // namespace sweepd::test::front_certificate_test
