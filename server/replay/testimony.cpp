// SPDX-License-Identifier: MIT
#include "replay/testimony.h"

#include <algorithm>

namespace sweepd::replay {
namespace {

struct ListedRates {
  std::uint32_t lowest = 0;
  std::uint32_t highest = 0;
};

/// Of those that run; 0 where none does.
ListedRates listed_rates(const std::vector<ClockChange>& changes) {
  ListedRates rates;
  for (const ClockChange& change : changes) {
    if (change.is_paused) continue;
    rates.lowest = rates.lowest == 0 ? change.tick_rate_hz : std::min(rates.lowest, change.tick_rate_hz);
    rates.highest = std::max(rates.highest, change.tick_rate_hz);
  }
  return rates;
}

}  // namespace

void Timeline::note(const ClockChange& change) {
  if (changes.size() < kClockChangesMax) return changes.push_back(change);
  ++changes_omitted;
  const ListedRates listed = listed_rates(changes);
  const bool is_extreme =
      !change.is_paused && (change.tick_rate_hz < listed.lowest || change.tick_rate_hz > listed.highest);
  if (!is_extreme) return;
  changes.push_back(change);
  const ListedRates rates = listed_rates(changes);
  const auto is_needed = [&rates](const ClockChange& other) {
    return !other.is_paused && (other.tick_rate_hz == rates.lowest || other.tick_rate_hz == rates.highest);
  };
  // The last before it that may go; where all are of one rate, any may.
  auto last = std::find_if_not(changes.rbegin() + 1, changes.rend(), is_needed);
  if (last == changes.rend()) last = changes.rbegin() + 1;
  changes.erase(std::next(last).base());
}

}  // namespace sweepd::replay
