// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "identity/jwk.h"

namespace sweepd::identity {

inline constexpr std::size_t kKeySetBytesMax = 256 * 1024;
inline constexpr std::size_t kKeySetKeysMax = 64;
inline constexpr std::size_t kRevocationsMax = 4096;

/// A key that verifies tickets.
struct TicketKey {
  std::string id;
  KeyScope scope;
  Key key;
};

/// Tickets to refuse despite a right signature: all given claims must match.
struct Revocation {
  std::optional<std::string> issuer = {};
  std::optional<std::string> tenant = {};
  std::optional<std::string> subject = {};
  std::optional<std::string> ticket_id = {};
};

/// The keys of a server: a JWKS (RFC 7517) of public keys and of keys of HS256, at most 256 KiB and 64 keys.
/// A set is immutable; a changed file becomes a new set. Removing a key revokes its tickets, so an empty list
/// of keys is valid and refuses every ticket.
///
///   {"keys": [{"kty": "OKP", "crv": "Ed25519", "kid": "backend-1", "alg": "EdDSA", "x": "…",
///              "sweepd": {"issuers": ["game"], "tenants": [""], "roles": ["backend", "player"]}}],
///    "sweepd": {"revoked": [{"iss": "game", "sub": "mallory"}, {"jti": "0b7c…"}]}}
///
/// `kid` and `alg` are required, and `alg` must fit `kty` and `crv`. `use` and `key_ops` must allow to verify
/// if they are given. "sweepd" holds KeyScope in a key and Revocation rows in the set; unknown members of it
/// are refused.
class KeySet {
 public:
  static base::Result<KeySet, KeyFault> parse(std::string_view text);

  /// nullptr: the set has no key of that id.
  const TicketKey* find(std::string_view key_id) const;
  bool revokes(const Subject& subject, std::string_view ticket_id) const;

  const std::vector<TicketKey>& keys() const { return keys_; }

 private:
  std::vector<TicketKey> keys_;
  std::vector<Revocation> revocations_;
};

}  // namespace sweepd::identity
