// SPDX-License-Identifier: MIT
#pragma once

#include <openssl/ssl.h>
#include <signal.h>

#include <fstream>

#include "integration/support/certificates.h"
#include "integration/support/server_fixture.h"

namespace sweepd::test {

/// A server that speaks TLS, HTTP included, and an authority that all of the test trusts.
class TlsServerTest : public ServerTest {
 protected:
  static constexpr const char* kHello = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
  /// The same, and the settings without which no server answers.
  static std::string hello() { return kHello + std::string("\0\0\0\4\0\0\0\0\0", 9); }

  void SetUp() override {
    std::ofstream(path("ca.pem")) << authority_.certificate();
    authority_.issue({.common_name = "first"}).write(folder_.path(), "server");
  }

  std::string path(const std::string& name) const { return (folder_.path() / name).string(); }

  std::vector<std::string> tls_options(std::vector<std::string> more = {}) const {
    more.insert(more.end(), {"--tls-cert", path("server.pem"), "--tls-key", path("server.key")});
    return more;
  }

  void start_tls(std::vector<std::string> more = {}) {
    more.insert(more.end(), {"--http-listen", "127.0.0.1:0", "--http-port-file", path("http")});
    start(tls_options(std::move(more)));
    http_port_ = std::stoi(read_file(path("http")));
  }

  ClientOptions client_options() const {
    ClientOptions options;
    options.server = server_address();
    options.timeout = std::chrono::seconds(20);
    options.security.tls = true;
    options.security.ca_file = path("ca.pem");
    return options;
  }
  std::string server_address() const { return const_cast<TlsServerTest*>(this)->server().address(); }
  Client tls_client() const { return Client(client_options()); }

  /// Of the HTTP listener, without its header.
  std::string page(const std::string& what, const TestCertificate& client = {}) const {
    const std::string answer =
        probe_tls(http_port_,
                  {.client = client,
                   .says = "GET " + what + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
                   .is_http2 = false})
            .answer;
    const std::size_t end = answer.find("\r\n\r\n");
    return end == std::string::npos ? std::string() : answer.substr(end + 4);
  }

  double metric(const std::string& name, const TestCertificate& client = {}) const {
    const std::string text = page("/metrics", client);
    const std::size_t at = text.find("\n" + name + " ");
    return at == std::string::npos ? -1 : std::stod(text.substr(at + name.size() + 2));
  }

  std::string log() { return server().process().standard_error(); }
  /// Waits: the server writes its log beside what it answers.
  bool is_logged(const std::string& text) {
    return eventually([&] { return log().find(text) != std::string::npos; });
  }

  TemporaryFolder folder_;
  TestAuthority authority_{"test authority"};
  int http_port_ = 0;
};

}  // namespace sweepd::test
