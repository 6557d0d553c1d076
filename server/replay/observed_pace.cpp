// SPDX-License-Identifier: MIT
#include "replay/observed_pace.h"

#include <algorithm>
#include <vector>

namespace sweepd::replay {
namespace {

constexpr double kStretchMsMin = 1000;
constexpr double kPaceMax = 1e15;

struct Sight {
  Tick tick = 0;
  std::int64_t unix_ms = 0;  ///< 0: not known.
};

std::vector<Sight> sights_of(const Reader& reader) {
  std::vector<Sight> sights;
  const auto& footer = reader.footer();
  if (footer) sights.push_back({1, footer->ending.timeline.start_unix_ms});
  for (const Reader::KeyFramePlace& place : reader.key_frames())
    sights.push_back({place.tick, place.unix_ms});
  if (footer) sights.push_back({reader.tick_count(), footer->ending.timeline.end_unix_ms});
  std::erase_if(sights, [](const Sight& sight) { return sight.unix_ms <= 0; });
  return sights;
}

}  // namespace

ObservedPace observed_pace(const Reader& reader) {
  ObservedPace pace;
  const std::vector<Sight> sights = sights_of(reader);
  for (std::size_t i = 1; i < sights.size(); ++i) {
    const double ms = static_cast<double>(sights[i].unix_ms) - static_cast<double>(sights[i - 1].unix_ms);
    if (ms < kStretchMsMin || sights[i].tick <= sights[i - 1].tick) continue;
    const double ticks = static_cast<double>(sights[i].tick - sights[i - 1].tick);
    const auto found = static_cast<std::uint64_t>(std::clamp(ticks * 1e6 / ms, 1.0, kPaceMax));
    pace.slowest = pace.slowest == 0 ? found : std::min(pace.slowest, found);
    pace.fastest = std::max(pace.fastest, found);
  }
  return pace;
}

}  // namespace sweepd::replay
