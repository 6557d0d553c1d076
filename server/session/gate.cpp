// SPDX-License-Identifier: MIT
#include "session/gate.h"

#include <chrono>
#include <string>
#include <utility>

namespace sweepd::session {
namespace {

Status ticket_refused(const identity::TicketRefusal& refusal) {
  ErrorDetails details{.reason = std::string(identity::reason_of(refusal.fault)),
                       .message = identity::text_of(refusal)};
  if (*refusal.claim != '\0') details.metadata = {{"claim", refusal.claim}};
  return make_status(Code::kUnauthenticated, details);
}

}  // namespace

std::int64_t ticket_time_s() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::seconds>(now).count();
}

void Gate::use(Verifier verifier) {
  const std::lock_guard lock(mutex_);
  verifier_ = std::move(verifier);
}

Gate::Verifier Gate::verifier() const {
  const std::lock_guard lock(mutex_);
  return verifier_;
}

base::Result<Admission, Status> Gate::admit(std::string_view token) const {
  const Verifier verifier = this->verifier();
  if (verifier == nullptr) return Admission{.principal = {.kind = identity::PrincipalKind::kOperator}};
  if (token.empty()) return Admission{};
  const auto ticket = verifier->verify(token, ticket_time_s());
  if (!ticket.ok()) return ticket_refused(ticket.error());
  return Admission{.principal = identity::principal_of(*ticket),
                   .expires_s = ticket->expires_s + verifier->rules().leeway_s};
}

}  // namespace sweepd::session
