// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "identity/strict_json.h"
#include "identity/ticket.h"

namespace sweepd::identity {

/// What a token's second part says; of its times only that they can be.
struct TicketClaims {
  Ticket ticket = {};
  std::vector<std::string> audiences = {};
};

/// By the table of ticket.h.
base::Result<TicketClaims, TicketRefusal> read_claims(const Json& claims);

/// The claims of a ticket, issued when it begins to be good.
Json claims_of(const Ticket& ticket);

}  // namespace sweepd::identity
