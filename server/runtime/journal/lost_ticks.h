// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "runtime/journal/recovery.h"
#include "runtime/journal/witness.h"

namespace sweepd::runtime {

/// Durable ticks of one match that have not come back.
struct LostTicks {
  JournalKey match = 0;
  MatchId id = {};             ///< Empty: not known.
  match::Tick after_tick = 0;  ///< Where the match goes on.
  match::Tick durable_tick =
      0;                 ///< How far it was durable; more than `after_tick`, but for one that is gone.
  bool is_gone = false;  ///< The match does not go on at all.

  match::Tick count() const { return durable_tick - after_tick; }
};

/// Compares what a recovery brought back with what was durable: by what the witness says, and by what the
/// database itself says. `has_replay`: of a match that is over and has left the journal nothing is lost.
using HasReplay = std::function<bool(const MatchId&)>;
std::vector<LostTicks> find_lost_ticks(const std::vector<Witness::Entry>& witnessed, const Recovery& recovery,
                                       const HasReplay& has_replay);

/// For people.
std::string describe(const LostTicks& lost);

}  // namespace sweepd::runtime
