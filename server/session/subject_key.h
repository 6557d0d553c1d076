// SPDX-License-Identifier: MIT
#pragma once

#include "identity/principal.h"
#include "runtime/budgets/budgets.h"

namespace sweepd::session {

/// The budget of a subject, as text that also says who it is: journals and replays keep it of the creator of
/// a match. At most 512 bytes. A subject without a name has the empty key.
runtime::BudgetKey key_of(const identity::Subject& subject);

/// Whose budget it is. Of the budget of an address: a subject without a name.
identity::Subject subject_of(const runtime::BudgetKey& key);

/// Adds who pays beside the address: the bearer of a ticket and its tenant. The unnamed tenant has no budget
/// of its own: where there are no tenants it would be that of all.
void add_payers(runtime::Budgets& budgets, const identity::Principal& principal, runtime::Payers& payers);

/// Who pays for a match that has come back, by the key of its creator.
runtime::Payers payers_of_creator(runtime::Budgets& budgets, const runtime::BudgetKey& creator);

}  // namespace sweepd::session
