// SPDX-License-Identifier: MIT
#include "bench/measurement.h"

#include <algorithm>
#include <numeric>
#include <ranges>

#include "bench/play.h"

namespace sweepd::bench {
namespace {

/// Not timed: the first tick of all, and some for memory to grow to its size.
constexpr std::uint32_t kWarmUpTicks = 4;
/// Not timed: the first of a turn, as the contender before has taken the caches.
constexpr std::uint32_t kColdTicks = 1;

bool is_wanted(const ContenderInfo& contender, const MeasurementOptions& options) {
  return options.contenders.empty() || std::ranges::count(options.contenders, contender.name) != 0;
}

struct Entrant {
  const ContenderInfo* info = nullptr;
  Play play;
  double spent_s = 0;

  void take_turn(std::uint32_t ticks, std::uint32_t unmeasured) {
    const std::size_t before = play.tick_times_us().size();
    play.advance(ticks, unmeasured);
    const auto& times = play.tick_times_us();
    spent_s += std::accumulate(times.begin() + static_cast<std::ptrdiff_t>(before), times.end(), 0.0) / 1e6;
  }

  Figure figure(const Digests& reference) const {
    const auto& times = play.tick_times_us();
    return {info->name,
            info->side,
            median(times),
            times.empty() ? 0 : std::ranges::min(times),
            static_cast<std::uint32_t>(times.size()),
            agree(play.digests(), reference)};
  }
};

std::vector<Entrant> enter(const scenes::Recording& recording, const MeasurementOptions& options) {
  std::vector<Entrant> entrants;
  const auto box_count = static_cast<std::uint32_t>(recording.ticks.front().added.size());
  for (const ContenderInfo& contender : contenders()) {
    if (!is_wanted(contender, options) || is_hopeless(contender.name, recording.name, box_count)) continue;
    entrants.push_back({&contender, Play(recording, contender)});
  }
  return entrants;
}

}  // namespace

const Figure* SceneFigures::find(const std::string& contender) const {
  const auto found = std::ranges::find(figures, contender, &Figure::contender);
  return found == figures.end() ? nullptr : &*found;
}

const Figure* SceneFigures::best(Side side) const {
  const Figure* best = nullptr;
  for (const Figure& figure : figures) {
    const bool is_rival = figure.side == side && figure.contender != "endpoint_sweep" && figure.ticks > 0;
    if (is_rival && (best == nullptr || figure.median_us < best->median_us)) best = &figure;
  }
  return best;
}

bool is_hopeless(const std::string& contender, const std::string& scene, std::uint32_t box_count) {
  // Their boxes find their places by swaps: a second a tick if all places are new.
  if (contender == "endpoint_sweep") return scene == "teleport";
  if (contender == "bullet_axis_sweep") return scene == "teleport" || box_count > 20'000;
  if (contender == "brute_force") return box_count > 2'000;
  // Made for few pairs that come near: it looks at all others whenever a part turns.
  if (contender == "approach") return box_count > 6'000;
  if (contender == "four_shifts") return box_count > 20'000;
  if (contender == "simd_brute") return box_count > 20'000;
  return false;
}

std::uint32_t suitable_ticks(std::uint32_t box_count) {
  if (box_count > 20'000) return 20;
  return box_count > 2'000 ? 100 : 400;
}

SceneFigures measure(const std::string& scene, const MeasurementOptions& options) {
  const auto box_count = static_cast<std::uint32_t>(scenes::record(scene, 1).ticks.front().added.size());
  const std::uint32_t ticks = options.ticks != 0 ? options.ticks : suitable_ticks(box_count);
  const std::uint32_t turn = (ticks + options.rounds - 1) / options.rounds;
  const scenes::Recording recording =
      scenes::record(scene, kWarmUpTicks + options.rounds * (turn + kColdTicks));
  std::vector<Entrant> entrants = enter(recording, options);
  for (Entrant& entrant : entrants) entrant.take_turn(kWarmUpTicks, kWarmUpTicks);
  for (std::uint32_t round = 0; round < options.rounds; ++round) {
    for (Entrant& entrant : entrants) {
      if (entrant.spent_s < options.budget_s) entrant.take_turn(turn + kColdTicks, kColdTicks);
    }
  }
  SceneFigures figures{scene, box_count, {}};
  const Digests reference = reference_digests(recording);
  for (const Entrant& entrant : entrants) figures.figures.push_back(entrant.figure(reference));
  return figures;
}

}  // namespace sweepd::bench
