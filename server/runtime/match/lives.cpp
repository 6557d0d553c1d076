// SPDX-License-Identifier: MIT
#include "runtime/match/lives.h"

#include <algorithm>
#include <numeric>

namespace sweepd::runtime {
namespace {

match::Tick add_lost(match::Tick sum, const Lives::Life& life) { return sum + life.lost_ticks; }

}  // namespace

match::Tick Lives::lost_ticks() const {
  return std::accumulate(lives_.begin(), lives_.end(), match::Tick{0}, add_lost);
}

// Each later life may have begun before where the one before it did: the earliest beginning counts.
std::optional<Lives::Undone> Lives::undone(const ResumePoint& seen) const {
  const auto life = std::ranges::find(lives_, seen.epoch, &Life::epoch);
  // One that is not known may be any that has been forgotten, or never got to the disk: then all of those
  // that began with a server's return may come after it.
  auto next = life == lives_.end() ? lives_.begin() : life + 1;
  if (life == lives_.end() && next != lives_.end() && next->first_tick == 0) ++next;
  if (next == lives_.end()) return std::nullopt;
  Undone undone{next->first_tick, next->first_sequence_number,
                std::accumulate(next, lives_.end(), match::Tick{0}, add_lost)};
  for (auto later = next; later != lives_.end(); ++later) {
    undone.after_tick = std::min(undone.after_tick, later->first_tick);
    undone.after_sequence_number = std::min(undone.after_sequence_number, later->first_sequence_number);
  }
  const bool has_seen_more =
      seen.last_tick > undone.after_tick || seen.last_sequence_number > undone.after_sequence_number;
  return has_seen_more ? std::optional(undone) : std::nullopt;
}

}  // namespace sweepd::runtime
