// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "identity/strict_json.h"
#include "identity/ticket.h"

namespace sweepd::identity {

/// The claims of a token. Times are in range, but not compared with a clock.
struct TicketClaims {
  Ticket ticket = {};
  std::vector<std::string> audiences = {};
};

/// Reads claims by the table in ticket.h.
base::Result<TicketClaims, TicketRefusal> read_claims(const Json& claims);

/// The claims of a ticket; `iat` equals `nbf`.
Json claims_of(const Ticket& ticket);

}  // namespace sweepd::identity
