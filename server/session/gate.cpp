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
  version_.fetch_add(1, std::memory_order_release);
}

Gate::Keys Gate::keys() const {
  const std::lock_guard lock(mutex_);
  return {verifier_, version_.load(std::memory_order_relaxed)};
}

base::Result<Admission, Status> Gate::admit(std::string_view token) const {
  const Keys keys = this->keys();
  if (keys.verifier == nullptr) return Admission{.principal = {.kind = identity::PrincipalKind::kOperator}};
  if (token.empty()) return Admission{};
  const auto ticket = keys.verifier->verify(token, ticket_time_s());
  if (!ticket.ok()) return ticket_refused(ticket.error());
  return Admission{.principal = identity::principal_of(*ticket),
                   .expires_s = ticket->expires_s + keys.verifier->rules().leeway_s,
                   .key_id = ticket->key_id,
                   .ticket_id = ticket->ticket_id,
                   .keys_version = keys.version};
}

bool Gate::is_still_good(Admission& admission) const {
  if (admission.key_id.empty()) return true;
  if (ticket_time_s() >= admission.expires_s) return false;
  if (admission.keys_version == version_.load(std::memory_order_acquire)) return true;
  const Keys keys = this->keys();
  const identity::KeySet& all = keys.verifier->keys();
  if (all.find(admission.key_id) == nullptr) return false;
  if (all.revokes(admission.principal.subject, admission.ticket_id)) return false;
  admission.keys_version = keys.version;
  return true;
}

}  // namespace sweepd::session
