// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "runtime/journal/journal_store.h"
#include "runtime/journal/match_origin.h"
#include "runtime/journal/stored_state.h"
#include "runtime/journal/witness.h"

namespace sweepd::runtime {

/// A match as it was at its durable tick.
struct RecoveredMatch {
  JournalKey key = 0;
  MatchOrigin origin = {};
  std::unique_ptr<match::Match> match = {};
  StoredState state = {};
  replay::Cast cast = {};
};

struct Recovery {
  std::vector<RecoveredMatch> matches = {};  ///< Those that had not ended.
  std::vector<JournalKey> ended = {};        ///< Those whose replays have yet to be written.
  std::size_t lost_matches = 0;              ///< That could not be brought back.
  std::vector<Witness::Entry> known =
      {};                                ///< How far each went that had not ended, by what the database says.
  std::vector<std::string> damage = {};  ///< For people: what is damaged, where, and what that costs.
};

/// Brings back every match of a journal that is not being written: from its last key frame that can be
/// trusted, through all ticks that can. Afterwards the journal holds what these matches are and nothing
/// beyond, so that they can be gone on with. On as many threads as there are cores. Throws StorageFailure.
///
/// `open_fresh`: asked once where there is damage, for a new journal. Then that one holds what has come back
/// and `store` stays as it is: what else a damaged database does cannot be told.
using OpenFresh = std::function<JournalStore&()>;
Recovery recover(JournalStore& store, const std::filesystem::path& path, const OpenFresh& open_fresh = {});

/// The same without writing anything, on this thread: for a disk that takes nothing. Where nothing is damaged
/// these matches can be gone on with in the journal as it is. A match whose end has not been written down is
/// in neither list, and is found again the next time.
Recovery recover_read_only(JournalStore& store);

}  // namespace sweepd::runtime
