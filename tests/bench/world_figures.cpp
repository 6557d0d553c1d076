// SPDX-License-Identifier: MIT
#include "bench/world_figures.h"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <ostream>

#include "bench/play.h"
#include "bench/world_time.h"

namespace sweepd::bench {
namespace {

constexpr std::uint32_t kWarmUpTicks = 8;
constexpr std::uint32_t kTicks = 24;
constexpr std::uint32_t kHotTicks = 200;

/// Those that leave in a tick are still there while others come.
std::uint32_t most_boxes(const scenes::Recording& recording) {
  std::size_t most = 0;
  std::size_t count = 0;
  for (const collision::PartChanges& changes : recording.ticks) {
    count += changes.added.size();
    most = std::max(most, count);
    count -= changes.removed.size();
  }
  return static_cast<std::uint32_t>(most);
}

using Plays = std::vector<std::unique_ptr<scenes::WorldPlay>>;

/// Leaves the shared memory of all worlds as large as it has to be.
double hot_tick_us(const std::string& scene) {
  const scenes::Recording recording = scenes::record(scene, kWarmUpTicks + kHotTicks);
  std::vector<double> times;
  scenes::WorldPlay play(recording);
  for (std::uint32_t tick = 0; !play.is_over(); ++tick) {
    const double time_us = timed_tick_us(play);
    if (tick >= kWarmUpTicks) times.push_back(time_us);
  }
  return median(times);
}

double tick_in_turn_us(Plays& plays) {
  std::vector<double> times;
  for (std::uint32_t tick = 0; !plays.front()->is_over(); ++tick) {
    for (const auto& play : plays) {
      const double time_us = timed_tick_us(*play);
      if (tick >= kWarmUpTicks) times.push_back(time_us);
    }
  }
  return median(times);
}

WorldFigures measure(const std::string& scene, std::uint32_t count) {
  const scenes::Recording recording = scenes::record(scene, kWarmUpTicks + kTicks);
  WorldFigures figures{.scene = scene, .worlds = count};
  figures.box_count = most_boxes(recording);
  figures.hot_us = hot_tick_us(scene);
  const std::size_t bytes_before = heap_bytes();
  Plays plays;
  for (std::uint32_t i = 0; i < count; ++i) plays.push_back(std::make_unique<scenes::WorldPlay>(recording));
  figures.in_turn_us = tick_in_turn_us(plays);
  for (const auto& play : plays) play->forget_all_but_world();
  const std::size_t bytes =
      heap_bytes() - bytes_before - count * (sizeof(scenes::WorldPlay) + sizeof(plays[0]));
  const double boxes = static_cast<double>(figures.box_count) * count;
  figures.bytes_per_box = static_cast<double>(bytes) / boxes;
  figures.encounters_per_box =
      static_cast<double>(plays.front()->world().encounter_count()) / figures.box_count;
  return figures;
}

bool is_within_bounds(const WorldFigures& figures) {
  const bool is_small = figures.encounters_per_box > 0.1 || figures.bytes_per_box <= kBytesPerBoxMax;
  return is_small && (figures.worlds == 1 || figures.cold_ratio() <= kColdRatioMax);
}

}  // namespace

std::vector<WorldFigures> measure_worlds() {
  std::vector<WorldFigures> worlds{measure("gunbird", 1000)};
  for (const char* scene : {"bullet_hell", "boss_stream", "column", "arena_10k", "sleepy10k"}) {
    worlds.push_back(measure(scene, 1));
  }
  return worlds;
}

bool print_worlds(const std::vector<WorldFigures>& worlds, std::ostream& out) {
  bool all_met = true;
  char line[160];
  out << "\nWhole worlds: changes, encounters and events included\n"
      << "scene            worlds    boxes   hot µs   in turn µs   ratio   bytes/box   encounters/box\n";
  for (const WorldFigures& figures : worlds) {
    const bool is_met = is_within_bounds(figures);
    std::snprintf(line, sizeof line, "%-15s %7u %8u %8.1f %12.1f %7.2f %11.1f %16.2f  %s\n",
                  figures.scene.c_str(), figures.worlds, figures.box_count, figures.hot_us,
                  figures.in_turn_us, figures.cold_ratio(), figures.bytes_per_box, figures.encounters_per_box,
                  is_met ? "pass" : "FAIL");
    out << line;
    all_met = all_met && is_met;
  }
  out << "At most: ratio " << kColdRatioMax << " for a thousand worlds, " << kBytesPerBoxMax
      << " bytes a box where boxes, not encounters, make the memory\n";
  return all_met;
}

}  // namespace sweepd::bench
