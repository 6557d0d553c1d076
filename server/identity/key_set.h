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

/// Tickets that are refused although their signatures are right: those of which every claim that is given
/// here is so.
struct Revocation {
  std::optional<std::string> issuer = {};
  std::optional<std::string> tenant = {};
  std::optional<std::string> subject = {};
  std::optional<std::string> ticket_id = {};
};

/// The keys of a server: a JWKS (RFC 7517) of public keys and of keys of HS256, at most 256 KiB and 64 keys.
/// It never changes: a file that has changed is another set. A key that is taken out of the file verifies
/// nothing any more, so an empty list of keys is a set, too: with it no ticket is good.
///
///   {"keys": [{"kty": "OKP", "crv": "Ed25519", "kid": "backend-1", "alg": "EdDSA", "x": "…",
///              "sweepd": {"issuers": ["game"], "tenants": [""], "roles": ["backend", "player"]}}],
///    "sweepd": {"revoked": [{"iss": "game", "sub": "mallory"}, {"jti": "0b7c…"}]}}
///
/// `kid` and `alg` are required, and `alg` has to fit `kty` and `crv`. `use` and `key_ops`, where they are
/// given, have to allow it to verify. What "sweepd" may have: KeyScope and Revocation; a member in there that
/// is not known is refused.
class KeySet {
 public:
  static base::Result<KeySet, KeyFault> parse(std::string_view text);

  /// nullptr: there is none of that id.
  const TicketKey* find(std::string_view key_id) const;
  bool revokes(const Subject& subject, std::string_view ticket_id) const;

  const std::vector<TicketKey>& keys() const { return keys_; }

 private:
  std::vector<TicketKey> keys_;
  std::vector<Revocation> revocations_;
};

}  // namespace sweepd::identity
