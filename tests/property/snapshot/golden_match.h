// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "match/match.h"

namespace sweepd::property {

/// A match that is always played in the same way, with something of everything that a snapshot can hold. It
/// is what golden files were made from: neither of these two may ever change.
match::MatchConfig golden_config();

/// What happens before the next tick, and the tick.
const match::TickOutput& play_golden_tick(match::Match& match);

/// A new match, to where the snapshot was taken: after this tick, and after something that is yet to be told
/// in the next.
void play_to_golden_snapshot(match::Match& match);
inline constexpr match::Tick kGoldenSnapshotTick = 60;

/// To where it went on.
inline constexpr match::Tick kGoldenLastTick = 160;

}  // namespace sweepd::property
