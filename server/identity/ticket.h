// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "identity/principal.h"

namespace sweepd::identity {

/// The verified content of a ticket.
///
/// A ticket is a JWT (RFC 7519): a compact JWS of at most 8 KiB, signed with HS256, RS256, ES256 or EdDSA.
/// Its header has `alg` and `kid`. `typ` is absent or "JWT"; `crit` is refused; other parameters are ignored.
///
/// | claim | required | meaning |
/// |---|---|---|
/// | `iss` | yes | issuer |
/// | `aud` | yes | a text or a list of texts that contains the server's audience |
/// | `sub` | yes | bearer, unique within `iss` and `tenant` |
/// | `nbf` | yes | begin of validity: seconds since 1970, an integer |
/// | `exp` | yes | end of validity, after `nbf` by at most the server's longest lifetime (24 h) |
/// | `iat` | no | time of issue, not after `exp` |
/// | `jti` | no | id of the ticket, to revoke it by |
/// | `role` | yes | operator, backend, moderator, stage, player or observer |
/// | `tenant` | no | tenant whose matches the ticket is for; absent: the unnamed tenant |
/// | `match` | stage, player, observer | id of the only match that the ticket is for; not with operator |
/// | `create` | no | true: may create matches; only with operator and backend |
/// | `seat` | no | name, or list of up to 16 names, of the seats that it may take; absent: any one |
///
/// Only stage, player and observer have `seat`. A backend needs `match` or `create`. Texts have 1 to 128
/// bytes (`match`, `seat`: 64) and no control characters. Other claims are ignored. The key's scope
/// (KeyScope) bounds `iss`, `tenant` and `role`.
struct Ticket {
  Subject subject = {};
  std::string audience = {};
  PrincipalKind role = PrincipalKind::kPlayer;
  std::optional<std::string> match_id = {};
  bool may_create = false;
  std::vector<std::string> seat_names = {};
  std::int64_t not_before_s = 0;  ///< Seconds since 1970.
  std::int64_t expires_s = 0;
  std::string ticket_id = {};  ///< Empty: none.
  std::string key_id = {};
};

inline constexpr std::size_t kTicketBytesMax = 8 * 1024;
inline constexpr std::size_t kClaimBytesMax = 128;
inline constexpr std::size_t kMatchIdBytesMax = 64;
inline constexpr std::size_t kSeatNameBytesMax = 64;
inline constexpr std::size_t kTicketSeatsMax = 16;
inline constexpr std::int64_t kTicketTimeMax_s = 253'402'300'799;  ///< The end of the year 9999.

Principal principal_of(const Ticket& ticket);

/// Why a token is refused.
enum class TicketFault {
  kTooLarge,
  kNoToken,     ///< The text is not three parts of base64url.
  kHeader,      ///< The header is no JSON object, lacks `kid`, or has a `typ` other than "JWT".
  kCritical,    ///< The header has `crit`.
  kUnknownKey,  ///< No key has its `kid`.
  kAlgorithm,   ///< `alg` is not the key's.
  kSignature,
  kClaims,  ///< The claims are no JSON object, or `claim` is missing, malformed or out of place.
  kIssuer,
  kAudience,
  kLifetime,  ///< `exp` is too long after `nbf`.
  kNotYetValid,
  kExpired,
  kScope,  ///< `claim` exceeds the scope of the key.
  kRevoked,
};

struct TicketRefusal {
  TicketFault fault = TicketFault::kNoToken;
  const char* claim = "";  ///< Claim at fault, from the table above; empty: none.
};

/// One line for logs and people. It contains nothing of the token.
std::string text_of(const TicketRefusal& refusal);
/// Label for metrics and ErrorInfo, such as "TICKET_EXPIRED".
std::string_view reason_of(TicketFault fault);

}  // namespace sweepd::identity
