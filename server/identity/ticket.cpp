// SPDX-License-Identifier: MIT
#include "identity/ticket.h"

#include <algorithm>
#include <iterator>

namespace sweepd::identity {
namespace {

struct FaultRow {
  TicketFault fault;
  std::string_view reason;
  const char* text;
};

constexpr FaultRow kFaults[] = {
    {TicketFault::kTooLarge, "TICKET_TOO_LARGE", "the ticket has more than 8192 bytes"},
    {TicketFault::kNoToken, "TICKET_MALFORMED", "the ticket is not three parts of base64url"},
    {TicketFault::kHeader, "TICKET_MALFORMED", "the ticket's header is malformed"},
    {TicketFault::kCritical, "TICKET_MALFORMED", "the ticket's header has crit"},
    {TicketFault::kUnknownKey, "TICKET_KEY_UNKNOWN", "the ticket's key is not known"},
    {TicketFault::kAlgorithm, "TICKET_ALGORITHM_WRONG", "the ticket's alg is not its key's"},
    {TicketFault::kSignature, "TICKET_SIGNATURE_WRONG", "the ticket's signature is wrong"},
    {TicketFault::kClaims, "TICKET_CLAIMS_WRONG", "the ticket's claims are malformed"},
    {TicketFault::kIssuer, "TICKET_ISSUER_FOREIGN", "the ticket's issuer is not one of this server's"},
    {TicketFault::kAudience, "TICKET_AUDIENCE_FOREIGN", "the ticket is for another audience"},
    {TicketFault::kLifetime, "TICKET_LIFETIME_TOO_LONG", "the ticket's lifetime is too long"},
    {TicketFault::kNotYetValid, "TICKET_NOT_YET_VALID", "the ticket is not valid yet"},
    {TicketFault::kExpired, "TICKET_EXPIRED", "the ticket has expired"},
    {TicketFault::kScope, "TICKET_BEYOND_KEY", "the ticket says more than its key may"},
    {TicketFault::kRevoked, "TICKET_REVOKED", "the ticket is revoked"},
};

const FaultRow& row_of(TicketFault fault) {
  return *std::find_if(std::begin(kFaults), std::end(kFaults),
                       [fault](const FaultRow& row) { return row.fault == fault; });
}

}  // namespace

Principal principal_of(const Ticket& ticket) {
  return {ticket.role, ticket.subject, ticket.match_id, ticket.may_create, ticket.seat_names};
}

std::string text_of(const TicketRefusal& refusal) {
  std::string text = row_of(refusal.fault).text;
  if (*refusal.claim != '\0') text += std::string(": ") + refusal.claim;
  return text;
}

std::string_view reason_of(TicketFault fault) { return row_of(fault).reason; }

}  // namespace sweepd::identity
