// SPDX-License-Identifier: MIT
#pragma once

#include "sweepd/ids.h"

namespace sweepd::internal {

/// Whatever the game or the server has for a tick, as one that there can be: what is less than 0 or no number
/// is 0.
inline double possible_tick(double tick) {
  constexpr double kMost = 0x1p63;  // All arithmetic with it stays within a Tick.
  if (!(tick > 0)) return 0;
  return tick < kMost ? tick : kMost;
}

/// The same without its fraction. A plain conversion of what does not fit would be undefined.
inline Tick to_tick(double tick) { return static_cast<Tick>(possible_tick(tick)); }

}  // namespace sweepd::internal
