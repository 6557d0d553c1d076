// SPDX-License-Identifier: MIT
#pragma once

#include "collision/object_table.h"

namespace sweepd::collision {

/// Why the encounter `key` of `a` (the smaller id) and `b` ended in the tick in progress: the first cause, in
/// order of precedence, that is true of either.
ExitReason exit_reason(const EncounterKey& key, const Object& a, const Object& b, const ObjectTable& objects);

}  // namespace sweepd::collision
