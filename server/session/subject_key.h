// SPDX-License-Identifier: MIT
#pragma once

#include "identity/principal.h"
#include "runtime/budgets/budget_key.h"

namespace sweepd::session {

/// The budget of a subject, as text that also says who it is: journals and replays keep it of the creator of
/// a match. At most 512 bytes. A subject without a name has the empty key.
runtime::BudgetKey key_of(const identity::Subject& subject);

/// Whose budget it is. Of the budget of an address: a subject without a name.
identity::Subject subject_of(const runtime::BudgetKey& key);

}  // namespace sweepd::session
