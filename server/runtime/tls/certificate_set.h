// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "base/result.h"

struct ssl_ctx_st;

namespace sweepd::runtime {

/// Whether a listener asks clients for certificates. One that comes is checked in either case.
enum class ClientCertificates : std::uint8_t {
  kNone,
  kOptional,
  kRequired,
};

/// Where a server's certificates are, all of them PEM.
struct TlsOptions {
  std::filesystem::path certificate;  ///< The chain, the server's own certificate first.
  std::filesystem::path key;          ///< Its owner's alone to read, without a password.
  std::filesystem::path client_ca;    ///< Whose client certificates are good; empty: none are asked for.
  ClientCertificates client_certificates = ClientCertificates::kNone;
};

/// A certificate with its key, as they were read, and who issues those of clients.
struct CertificateSet {
  std::string certificate;  ///< PEM, as the next two.
  std::string key;
  std::string client_ca;  ///< Empty: clients are not asked.
  ClientCertificates client_certificates = ClientCertificates::kNone;
  std::string subject;  ///< "CN=game.example.com".
  std::chrono::system_clock::time_point expires;
};

/// Of the kind that a server of TLS 1.2 or 1.3 is made of: the key belongs to the certificate, and the
/// library takes both. One that has expired is read as well. The error names the file.
base::Result<CertificateSet, std::string> read_certificates(const TlsOptions& options);

struct FreeServerContext {
  void operator()(ssl_ctx_st* context) const;
};
using ServerContext = std::unique_ptr<ssl_ctx_st, FreeServerContext>;

/// OpenSSL's context of a listener with these certificates. Null: the library refuses them.
ServerContext make_server_context(const CertificateSet& certificates);

}  // namespace sweepd::runtime
