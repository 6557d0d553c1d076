// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "identity/jwk.h"
#include "identity/ticket.h"

namespace sweepd::identity {

// The issuing side, for tools and tests. A server only verifies.

/// A private key as a JWK with its scope.
base::Result<Jwk, KeyFault> parse_private_key(std::string_view text);
std::string private_key_text(const Jwk& key);

/// A JWKS of the public half; for HS256, which has none, of the key itself.
std::string key_set_text(const Jwk& key);
/// The set with one more key; other members stay.
base::Result<std::string, KeyFault> with_key(std::string_view key_set, const Jwk& key);

/// A signed token; nothing if a text is not UTF-8 or the key cannot sign. The claims are not checked: that is
/// TicketVerifier's.
std::optional<std::string> issue(const Ticket& ticket, const Jwk& key);

}  // namespace sweepd::identity
