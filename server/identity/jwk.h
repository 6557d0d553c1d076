// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "identity/crypto.h"
#include "identity/principal.h"

namespace sweepd::identity {

/// Bounds of the tickets of a key, from the member "sweepd" of its JWK. A game backend's key can never make
/// an operator.
struct KeyScope {
  std::vector<std::string> issuers = {};    ///< Values of `iss`. Empty: any.
  std::vector<std::string> tenants = {""};  ///< "": the tenant of tickets that name none.
  std::vector<PrincipalKind> roles = {PrincipalKind::kBackend, PrincipalKind::kStage, PrincipalKind::kPlayer,
                                      PrincipalKind::kObserver};
};

/// A JSON Web Key (RFC 7517). The key fixes the algorithm; a token cannot choose it.
struct Jwk {
  std::string id = {};  ///< `kid`
  Algorithm algorithm = Algorithm::kEdDsa;
  KeyNumbers numbers = {};
  KeyScope scope = {};
};

enum class KeyUse { kVerify, kSign };

/// Why a text is no key or no key set. It names the key and the field and quotes no number.
struct KeyFault {
  std::string text;
};

inline constexpr std::size_t kKeyIdBytesMax = 64;

}  // namespace sweepd::identity
