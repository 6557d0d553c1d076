// SPDX-License-Identifier: MIT
#include "runtime/feed/world/world_urgency.h"

#include <algorithm>
#include <bit>
#include <tuple>

namespace sweepd::runtime {
namespace {

std::uint64_t way(std::int64_t from, std::int64_t to) {
  return static_cast<std::uint64_t>(from < to ? to - from : from - to);
}

/// A playfield unit or less is one step.
int distance_step(std::optional<collision::Point> focus, collision::Point position) {
  if (!focus) return 0;
  const std::uint64_t most = std::max(way(focus->x, position.x), way(focus->y, position.y));
  return static_cast<int>(std::bit_width(most >> 8));
}

}  // namespace

std::size_t most_urgent(std::vector<WorldCandidate>& candidates, std::optional<collision::Point> focus,
                        std::int64_t bytes) {
  std::ranges::sort(candidates, {}, [focus](const WorldCandidate& one) {
    const int step = one.is_first ? -1 : distance_step(focus, one.position);
    return std::tuple(step, ~one.since, one.id);
  });
  std::size_t count = 0;
  // The last one may be over it: what is larger than all that there ever is would keep the others waiting.
  for (const WorldCandidate& one : candidates) {
    if (bytes <= 0 && !one.is_first) break;
    bytes -= one.bytes;
    ++count;
  }
  return count;
}

}  // namespace sweepd::runtime
