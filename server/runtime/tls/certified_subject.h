// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace sweepd::runtime {

/// Whom a client's certificate names that has been checked: against `--tls-client-ca` here, or by a front
/// that is trusted. A front passes the common name on and no more.
struct CertifiedSubject {
  std::string common_name;
  std::vector<std::string> dns_names = {};  ///< Subject alternative names, as the next.
  std::vector<std::string> uris = {};
  friend bool operator==(const CertifiedSubject&, const CertifiedSubject&) = default;
};

}  // namespace sweepd::runtime
