// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <map>

#include "runtime/journal/recent_ticks.h"

namespace sweepd::runtime {

/// Runs work on the store that may write, between the writings of others.
using WithStore = std::function<void(const std::function<void(JournalStore&)>&)>;

/// Packs recent ticks by match: what stands in rows of many matches, and takes some bytes for each move,
/// becomes segments of one match each as replays have them; then their commits go. Ticks that are in segments
/// already stay as they are. `reader` only reads. `last_ticks`: what is later of those matches is dropped.
/// Ticks of matches that the journal does not know any more go with their commits. Should it be stopped at
/// any point, nothing is lost: segments count before commits.
void pack_recent_ticks(JournalStore& reader, const RecentTicks& recent,
                       const std::map<JournalKey, match::Tick>& last_ticks, const WithStore& with_store);

}  // namespace sweepd::runtime
