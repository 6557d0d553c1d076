// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "collision/world.h"
#include "match/history/past_world.h"

namespace sweepd::match {

// Ticks of a world, the last one and those that its history has, alike. `history` may be null for the last.

/// With these objects only.
PastWorld world_at(const collision::World& world, const History* history, Tick tick, const ObjectPage& page);

/// The object as it was at the end of `tick`, if it was there.
std::optional<PastObject> find_object_at(const collision::World& world, const History* history, ObjectId id,
                                         Tick tick);

/// Of the encounters that were open at the end of `tick`, by key.
std::vector<collision::Encounter> encounters_at(const collision::World& world, const History* history,
                                                Tick tick, const collision::EncounterPage& page);

}  // namespace sweepd::match
