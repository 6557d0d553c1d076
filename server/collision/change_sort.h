// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "collision/encounter_table.h"

namespace sweepd::collision {

/// Sorts a tick's changes, in time that grows with their number only: by counting, eleven bits of the ids at a
/// time. `spare` is for its memory.
void sort_changes(std::vector<EncounterChange>& changes, std::vector<EncounterChange>& spare);

}  // namespace sweepd::collision
