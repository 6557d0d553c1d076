// SPDX-License-Identifier: MIT
#pragma once

#include "sweepd/ids.h"

namespace sweepd::internal {

/// A tick from outside, of the game or the server, within the range of ticks. Less than 0 and not-a-number
/// become 0: a conversion of those to a Tick is undefined.
inline double possible_tick(double tick) {
  constexpr double kMost = 0x1p63;  // All arithmetic with it stays within a Tick.
  if (!(tick > 0)) return 0;
  return tick < kMost ? tick : kMost;
}

/// The same without its fraction. A plain conversion of what does not fit would be undefined.
inline Tick to_tick(double tick) { return static_cast<Tick>(possible_tick(tick)); }

}  // namespace sweepd::internal
