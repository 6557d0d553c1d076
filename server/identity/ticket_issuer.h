// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "identity/jwk.h"
#include "identity/ticket.h"

namespace sweepd::identity {

// What an issuer needs: tools and tests. A server only verifies.

/// A private key in a file of its own, a JWK with what it may say (KeyScope).
base::Result<Jwk, KeyFault> parse_private_key(std::string_view text);
std::string private_key_text(const Jwk& key);

/// A JWKS of the public half alone; of HS256, which has none, of the key itself.
std::string key_set_text(const Jwk& key);
/// The same set with one more key; what else is in it stays.
base::Result<std::string, KeyFault> with_key(std::string_view key_set, const Jwk& key);

/// A token; nothing where a text is no UTF-8 or the key cannot sign. Whether it is a ticket that a server
/// would take, its TicketVerifier says.
std::optional<std::string> issue(const Ticket& ticket, const Jwk& key);

}  // namespace sweepd::identity
