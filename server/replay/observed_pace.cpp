// SPDX-License-Identifier: MIT
#include "replay/observed_pace.h"

#include <algorithm>
#include <vector>

namespace sweepd::replay {
namespace {

constexpr double kStretchMsMin = 1000;
constexpr double kPaceMax = 1e15;

std::vector<TickSight> sights_of(const Reader& reader) {
  std::vector<TickSight> sights;
  const auto& footer = reader.footer();
  if (footer) sights.push_back({1, footer->ending.timeline.start_unix_ms});
  for (const Reader::KeyFramePlace& place : reader.key_frames())
    sights.push_back({place.tick, place.unix_ms});
  if (footer) sights.push_back({reader.tick_count(), footer->ending.timeline.end_unix_ms});
  std::erase_if(sights, [](const TickSight& sight) { return sight.unix_ms <= 0; });
  return sights;
}

}  // namespace

ObservedPace pace_between(std::span<const TickSight> sights) {
  ObservedPace pace;
  if (sights.empty()) return pace;
  TickSight from = sights.front();
  for (const TickSight& to : sights.subspan(1)) {
    const double ms = static_cast<double>(to.unix_ms) - static_cast<double>(from.unix_ms);
    if (ms < 0 || to.tick < from.tick) from = to;  // Another clock, or a file that makes no sense.
    if (ms < kStretchMsMin || to.tick <= from.tick) continue;
    const double ticks = static_cast<double>(to.tick - from.tick);
    const auto found = static_cast<std::uint64_t>(std::clamp(ticks * 1e6 / ms, 1.0, kPaceMax));
    pace.slowest = pace.slowest == 0 ? found : std::min(pace.slowest, found);
    pace.fastest = std::max(pace.fastest, found);
    from = to;
  }
  return pace;
}

ObservedPace observed_pace(const Reader& reader) { return pace_between(sights_of(reader)); }

}  // namespace sweepd::replay
