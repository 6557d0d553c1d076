// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tools/load/tick_fit.h"

namespace sweepd::tools::load {

/// How far a match has come.
struct MatchProgress {
  std::uint32_t number = 0;
  std::uint64_t tick = 0;  ///< The last of which an update came,
  TimePoint tick_time;     ///< and when. A default TimePoint: none came.
  std::uint64_t ticks_lost = 0;
  std::uint32_t clients_joined = 0;
  std::uint32_t clients_closed = 0;  ///< Of those that behave; those that share a stream count as one.
  std::uint32_t misbehaving_clients_closed = 0;  ///< Which is what they may expect.
  std::string error = {};                        ///< Why the first of clients_closed ended.
};

/// A span of time between two looks at all matches.
struct ProgressSpan {
  TimePoint begin, end;
};

/// How fast matches ran.
struct TickRates {
  double min_hz = 0;  ///< Of the slowest match.
  double mean_hz = 0;
  std::uint64_t ticks_lost = 0;  ///< Of all; see TickFit.
};

/// Between two looks; `rate_hz` is what they were asked to run at. A match runs from its last update of the
/// one look to that of the other. Where the latter is so old that the match surely stands still, the time of
/// the look counts instead; at the beginning only where no update had come at all.
TickRates tick_rates(const std::vector<MatchProgress>& before, const std::vector<MatchProgress>& after,
                     const ProgressSpan& span, std::uint32_t rate_hz);

}  // namespace sweepd::tools::load
