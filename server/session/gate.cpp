// SPDX-License-Identifier: MIT
#include "session/gate.h"

#include <chrono>
#include <string>
#include <utility>

#include "identity/crypto.h"

namespace sweepd::session {
namespace {

Status ticket_refused(const identity::TicketRefusal& refusal) {
  ErrorDetails details{.reason = std::string(identity::reason_of(refusal.fault)),
                       .message = identity::text_of(refusal)};
  if (*refusal.claim != '\0') details.metadata = {{"claim", refusal.claim}};
  return make_status(Code::kUnauthenticated, details);
}

/// Nothing: it is too large to be good.
std::optional<std::string> digest_of(std::string_view token) {
  if (token.size() > identity::kTicketBytesMax) return std::nullopt;
  return identity::sha256(token);
}

}  // namespace

std::int64_t ticket_time_s() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::seconds>(now).count();
}

void Gate::use(Verifier verifier) {
  const std::lock_guard lock(mutex_);
  keys_ = {std::move(verifier), std::make_shared<TicketCache>(), keys_.version + 1};
  version_.store(keys_.version, std::memory_order_release);
}

Gate::Keys Gate::keys() const {
  const std::lock_guard lock(mutex_);
  return keys_;
}

std::optional<Admission> Gate::known(std::string_view token) const {
  const Keys keys = this->keys();
  if (keys.verifier == nullptr) return Admission{.principal = {.kind = identity::PrincipalKind::kOperator}};
  if (token.empty()) return Admission{};
  const auto digest = digest_of(token);
  return digest ? keys.cache->find(*digest, ticket_time_s()) : std::nullopt;
}

base::Result<Admission, Status> Gate::admit(std::string_view token) const {
  if (auto admission = known(token)) return *std::move(admission);
  const Keys keys = this->keys();
  const auto ticket = keys.verifier->verify(token, ticket_time_s());
  if (!ticket.ok()) return ticket_refused(ticket.error());
  Admission admission{.principal = identity::principal_of(*ticket),
                      .expires_s = ticket->expires_s + keys.verifier->rules().leeway_s,
                      .key_id = ticket->key_id,
                      .ticket_id = ticket->ticket_id,
                      .keys_version = keys.version};
  if (const auto digest = digest_of(token)) keys.cache->put(*digest, admission);
  return admission;
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
