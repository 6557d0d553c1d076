// SPDX-License-Identifier: MIT
#pragma once

#include <google/protobuf/descriptor.h>

#include <string>
#include <string_view>

#include "identity/principal.h"
#include "runtime/match/match_host.h"
#include "session/client_budget.h"
#include "session/ended_matches.h"
#include "session/status.h"
#include "sweepd/v1/types.pb.h"

namespace sweepd::session {

// What callers may, by identity/rights_table.h: each call is asked twice, when it comes in and when its match
// is known.

/// The rpc that takes or gives messages of a type, as the table of rights has it:
/// "sweepd.v1.MatchService/GetMatch". `is_stream`: of those that the type has, the one that streams.
std::string rpc_of(const google::protobuf::Descriptor& message, bool is_stream);

/// Finds out who calls, and charges what it takes to its own budget and its tenant's, too, where it has a
/// name. An error where its
/// token is no good (UNAUTHENTICATED), or where no match is such that it may call this (PERMISSION_DENIED,
/// NOT_ALLOWED; UNAUTHENTICATED, TICKET_REQUIRED without a token), or where it is banned (BANNED). `rpc`: of
/// Play, that of no role.
Status let_in(Backend& backend, std::string_view rpc, std::string_view token, Caller& caller);

/// The holder of that token, in a call of `caller`: the gate says who it is. An address that has shown many
/// wrong ones is refused (RESOURCE_EXHAUSTED) before a signature is verified; a token that is known to be
/// good is let in, but for banned subjects (BANNED).
base::Result<Admission, Status> admit(Backend& backend, std::string_view token, const Caller& caller);

/// "backend studio of game", with the tenant where there is one; "operator unix uid=0"; of an anonymous
/// caller "anonymous"; empty where no tickets are asked for. For the log.
std::string text_of(const Caller& caller);

/// By its ticket or the admin listener. Elsewhere, where no tickets are asked for, every caller is one, and
/// none is audited.
bool is_known_operator(const identity::Principal& principal);

/// OK, or why the caller may not call this about that match.
Status find_refusal(const identity::Principal& principal, std::string_view rpc,
                    const runtime::MatchHost& host);
/// The same of one that has ended, and of which only its creator is known.
Status find_refusal(const identity::Principal& principal, std::string_view rpc, const runtime::MatchId& id,
                    const runtime::BudgetKey& creator);
/// The same of taking a seat of that name and role: one that the ticket is for (OTHER_SEAT), and no more at
/// once than it is for (SEATS_HELD).
Status find_refusal_of_seat(const identity::Principal& principal, const v1::Join& join,
                            const runtime::MatchHost& host);

/// Whether the caller may be told the seed and the counters of others: not players and observers, unless the
/// match's config says so (Permissions::secret_roles).
bool may_know_secrets(const identity::Principal& principal, const runtime::MatchHost& host);

/// Takes these secrets out of the description for those who may not be told them.
void leave_out_secrets(const identity::Principal& principal, const runtime::MatchHost& host,
                       v1::Match& message);
/// The same of a match that has ended.
void leave_out_secrets(const identity::Principal& principal, const EndedMatches::Ended& ended,
                       v1::Match& message);

/// PERMISSION_DENIED / NOT_ALLOWED. `permission`: the field of the match's config that could allow it; empty:
/// none could.
Status not_allowed(const identity::Principal& principal, std::string_view rpc,
                   std::string_view permission = {});
/// UNAUTHENTICATED / TICKET_EXPIRED: of a stream that goes on longer than its ticket, or whose ticket has
/// been revoked.
Status ticket_expired();

/// PERMISSION_DENIED / NOT_ALLOWED: of a ticket that a stream is to go on with.
Status foreign_ticket();

}  // namespace sweepd::session
