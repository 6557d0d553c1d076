// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "identity/jwk.h"

namespace sweepd::test {

/// The private keys of RFC 7515, appendices A.1 to A.3, and RFC 8037, appendix A, as JWKs. `kid` is the name
/// of the algorithm; the scope is every role of the tenants "" and "arcade".
std::string sample_key_text(identity::Algorithm algorithm);
identity::Jwk sample_key(identity::Algorithm algorithm);

/// The public half of that of RS256, as `openssl pkey -pubout` writes it.
std::string sample_rsa_public_pem();

inline constexpr identity::Algorithm kSampleAlgorithms[] = {
    identity::Algorithm::kHs256, identity::Algorithm::kRs256, identity::Algorithm::kEs256,
    identity::Algorithm::kEdDsa};

/// A JWKS of what verifies the tickets of all of them.
std::string sample_key_set();

}  // namespace sweepd::test
