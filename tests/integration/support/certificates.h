// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

struct evp_pkey_st;
struct x509_st;

namespace sweepd::test {

/// PEM.
struct TestCertificate {
  std::string certificate;
  std::string key;

  /// NAME.pem and NAME.key in the folder, each put in the place of what was there at once.
  void write(const std::filesystem::path& folder, const std::string& name) const;
};

/// Issues certificates for a month, made anew for each test: none lies about that would expire.
class TestAuthority {
 public:
  explicit TestAuthority(const std::string& name);

  struct Request {
    std::string common_name = "sweepd";
    std::string names = "DNS:localhost,IP:127.0.0.1";  ///< Alternative ones, as OpenSSL writes them.
    bool is_expired = false;
  };
  TestCertificate issue(const Request& request) const;
  const std::string& certificate() const { return certificate_; }

 private:
  std::shared_ptr<evp_pkey_st> key_;
  std::shared_ptr<x509_st> own_;
  std::string certificate_;
};

/// What became of a connection of TLS that a test made by itself.
struct TlsProbe {
  struct Options {
    int version = 0;  ///< TLS1_2_VERSION and the like; 0: any.
    TestCertificate client = {};
    std::string says = {};  ///< What is sent then; the answer is waited for until the other side hangs up.
    bool is_http2 = true;
  };
  bool is_connected = false;
  std::string subject;  ///< Common name of the server's certificate.
  std::string answer;
  bool may_be_resumed = false;  ///< The server has given a session, by a ticket or by a name.
};
TlsProbe probe_tls(int port, const TlsProbe::Options& options = {});

}  // namespace sweepd::test
