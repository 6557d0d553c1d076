// SPDX-License-Identifier: MIT
#include "session/subject_key.h"

#include <utility>

namespace sweepd::session {
namespace {

using runtime::KeyKind;
using runtime::kKeySeparator;

void add_subject(runtime::Budgets& budgets, KeyKind kind, const identity::Subject& subject,
                 runtime::Payers& payers) {
  payers.add(budgets.account(kind, key_of(subject)));
  if (!subject.tenant.empty()) payers.add(budgets.account(KeyKind::kTenant, subject.tenant));
}

}  // namespace

runtime::BudgetKey key_of(const identity::Subject& subject) {
  if (subject.name.empty()) return {};
  return {subject.name + kKeySeparator + subject.issuer + kKeySeparator + subject.tenant};
}

identity::Subject subject_of(const runtime::BudgetKey& key) {
  replay::TicketSubject ticket = runtime::ticket_subject_of(key);
  identity::Subject subject;
  subject.name = std::move(ticket.name);
  subject.issuer = std::move(ticket.issuer);
  subject.tenant = std::move(ticket.tenant);
  return subject;
}

void add_payers(runtime::Budgets& budgets, const identity::Principal& principal, runtime::Payers& payers) {
  if (principal.subject.name.empty()) return;
  const bool is_backend = principal.kind == identity::PrincipalKind::kBackend ||
                          principal.kind == identity::PrincipalKind::kOperator;
  add_subject(budgets, is_backend ? KeyKind::kBackend : KeyKind::kSubject, principal.subject, payers);
}

runtime::Payers payers_of_creator(runtime::Budgets& budgets, const runtime::BudgetKey& creator) {
  runtime::Payers payers;
  if (creator.empty()) return payers;
  const identity::Subject subject = subject_of(creator);
  if (subject.name.empty()) {
    payers.add(budgets.account(KeyKind::kAddress, creator));
  } else {
    add_subject(budgets, KeyKind::kBackend, subject, payers);
  }
  return payers;
}

}  // namespace sweepd::session
