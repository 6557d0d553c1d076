// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

struct x509_store_st;

namespace sweepd::internal {

/// What an error about a server's certificate begins with, wherever gRPC puts it in its own words.
inline constexpr const char* kCertificateFault = "the server's certificate";

/// Judges the certificates of a server: their issuer, their time, their name. Thread-safe.
class ServerCertificateCheck {
 public:
  /// `ca_file`: PEM; empty: the issuers that the system trusts. `name`: a host's name or an address.
  ServerCertificateCheck(std::string ca_file, std::string name);

  /// Empty: the issuers are there. Else what is wrong with the file.
  const std::string& error() const { return error_; }
  const std::string& name() const { return name_; }

  /// `chain`: PEM, the server's own certificate first. Empty: it is good. Else why not, for people.
  std::string find_fault(const std::string& chain) const;

 private:
  std::string fault_of(int error, const std::string& detail) const;

  const std::string ca_file_;
  const std::string name_;
  std::shared_ptr<x509_store_st> issuers_;
  std::string error_;
};

}  // namespace sweepd::internal
