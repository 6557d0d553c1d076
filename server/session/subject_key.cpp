// SPDX-License-Identifier: MIT
#include "session/subject_key.h"

#include <string>
#include <string_view>

namespace sweepd::session {
namespace {

using runtime::KeyKind;
using runtime::kKeySeparator;

std::string_view take_part(std::string_view& text) {
  const std::size_t end = std::min(text.find(kKeySeparator), text.size());
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return part;
}

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
  std::string_view text = key.text();
  if (text.find(kKeySeparator) == std::string_view::npos) return {};
  identity::Subject subject;
  subject.name = take_part(text);
  subject.issuer = take_part(text);
  subject.tenant = take_part(text);
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
