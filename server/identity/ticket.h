// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "identity/principal.h"

namespace sweepd::identity {

/// What a ticket says once its signature, its times and its key's scope have been found right.
///
/// A ticket is a JWT (RFC 7519): a compact JWS of at most 8 KiB, signed with HS256, RS256, ES256 or EdDSA.
/// Its header has `alg` and `kid`; `typ`, where it is given, is "JWT"; `crit` is refused, all else is not
/// looked at. Its claims:
///
/// | claim | | what it says |
/// |---|---|---|
/// | `iss` | required | who issued it; the key's scope may bound it |
/// | `aud` | required | a text or a list of texts; one of them is the server's audience |
/// | `sub` | required | who bears it, unique within `iss` and `tenant` |
/// | `nbf` | required | from when on it is good: seconds since 1970, whole |
/// | `exp` | required | until when; at most the server's longest lifetime (24 h) after `nbf` |
/// | `iat` | | when it was issued, no later than `exp` |
/// | `jti` | | its id, by which it can be revoked |
/// | `role` | required | `operator`, `backend`, `moderator`, `stage`, `player` or `observer`; the key's scope
/// bounds it | | `tenant` | | whose matches it is about; the key's scope bounds it; absent: those of the
/// tenant without a name | | `match` | required of `stage`, `player`, `observer` | id of the one match that
/// it is good for; not for `operator` | | `create` | | true: may create matches; for `operator` and `backend`
/// only | | `seat` | | the only seat that it may take; absent: any of its role; for `stage`, `player`,
/// `observer` only |
///
/// A `backend` needs `match` or `create`. Texts have 1 to 128 bytes (`match`, `seat`: 64) and no control
/// characters. Claims that are not in this table are not looked at.
struct Ticket {
  Subject subject = {};
  std::string audience = {};
  PrincipalKind role = PrincipalKind::kPlayer;
  std::optional<std::string> match_id = {};
  bool may_create = false;
  std::string seat_name = {};
  std::int64_t not_before_s = 0;  ///< Seconds since 1970.
  std::int64_t expires_s = 0;
  std::string ticket_id = {};  ///< Empty: none.
  std::string key_id = {};
};

inline constexpr std::size_t kTicketBytesMax = 8 * 1024;
inline constexpr std::size_t kClaimBytesMax = 128;
inline constexpr std::size_t kMatchIdBytesMax = 64;
inline constexpr std::size_t kSeatNameBytesMax = 64;
inline constexpr std::int64_t kTicketTimeMax_s = 253'402'300'799;  ///< The end of the year 9999.

Principal principal_of(const Ticket& ticket);

/// Why a token is refused.
enum class TicketFault {
  kTooLarge,
  kNoToken,     ///< It has not three parts of base64url.
  kHeader,      ///< It is no JSON object, or has no text `kid`, or a `typ` other than "JWT".
  kCritical,    ///< The header has `crit`.
  kUnknownKey,  ///< No key has its `kid`.
  kAlgorithm,   ///< `alg` is not the key's.
  kSignature,
  kClaims,  ///< They are no JSON object, or the claim that is named is missing, malformed or out of place.
  kIssuer,
  kAudience,
  kLifetime,  ///< `exp` is too long after `nbf`.
  kNotYetValid,
  kExpired,
  kScope,  ///< The claim that is named says more than the key may.
  kRevoked,
};

struct TicketRefusal {
  TicketFault fault = TicketFault::kNoToken;
  const char* claim = "";  ///< Its name in the table above; empty: none is at fault.
};

/// One line for logs and people, with nothing of the token.
std::string text_of(const TicketRefusal& refusal);
/// A word for metrics and for ErrorInfo: "TICKET_EXPIRED".
std::string_view reason_of(TicketFault fault);

}  // namespace sweepd::identity
