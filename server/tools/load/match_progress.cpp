// SPDX-License-Identifier: MIT
#include "tools/load/match_progress.h"

#include <algorithm>
#include <map>

namespace sweepd::tools::load {
namespace {

// Where nothing happens an update comes every sixth tick.
constexpr int kIntervalsMax = 8;

TimePoint last_sign(TimePoint tick_time, TimePoint look, std::uint32_t rate_hz) {
  const Duration patience = kIntervalsMax * Duration(std::chrono::seconds(1)) / rate_hz;
  return look - tick_time > patience ? look : tick_time;
}

}  // namespace

TickRates tick_rates(const std::vector<MatchProgress>& before, const std::vector<MatchProgress>& after,
                     const ProgressSpan& span, std::uint32_t rate_hz) {
  std::map<std::uint32_t, const MatchProgress*> began;
  for (const MatchProgress& match : before) began[match.number] = &match;
  TickRates rates;
  std::uint32_t count = 0;
  for (const MatchProgress& match : after) {
    const auto it = began.find(match.number);
    if (it == began.end()) continue;
    const TimePoint first = it->second->tick_time;
    const Duration time =
        last_sign(match.tick_time, span.end, rate_hz) - (first == TimePoint() ? span.begin : first);
    const double time_s = std::chrono::duration<double>(time).count();
    const double hz = time_s > 0 ? static_cast<double>(match.tick - it->second->tick) / time_s : 0;
    rates.min_hz = count == 0 ? hz : std::min(rates.min_hz, hz);
    rates.mean_hz += hz;
    rates.ticks_lost += match.ticks_lost - it->second->ticks_lost;
    ++count;
  }
  if (count > 0) rates.mean_hz /= count;
  return rates;
}

}  // namespace sweepd::tools::load
