// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>

#include "replay/reader.h"

namespace sweepd::replay {

/// How fast ticks ran by the wall times in a file, over stretches from one key frame to the next, and to
/// where the replay begins and ends. One of less than a second is a part of the next. Pauses count. It shows
/// slow stretches that the list of clock changes, which has an end, leaves out. In ticks in 1,000 s; 0: there
/// is no such stretch.
struct ObservedPace {
  std::uint64_t slowest = 0;
  std::uint64_t fastest = 0;
};

/// A tick, and when it ran.
struct TickSight {
  Tick tick = 0;
  std::int64_t unix_ms = 0;  ///< 0: not known.
};

/// `sights`: by tick, with known times.
ObservedPace pace_between(std::span<const TickSight> sights);
ObservedPace observed_pace(const Reader& reader);

}  // namespace sweepd::replay
