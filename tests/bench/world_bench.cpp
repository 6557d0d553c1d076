// SPDX-License-Identifier: MIT
//
// A tick of every scene in a world, changes, encounters and events included; a thousand worlds in turn;
// questions; shapes.
#include <benchmark/benchmark.h>

#include "bench/world_time.h"
#include "collision/shapes/shape.h"
#include "collision/shapes/shape_check.h"
#include "base/dice.h"

namespace sweepd::bench {
namespace {

constexpr std::uint32_t kTicks = 60;
constexpr std::uint32_t kWarmUpTicks = 4;

std::unique_ptr<scenes::WorldPlay> warm_play(const scenes::Recording& recording) {
  auto play = std::make_unique<scenes::WorldPlay>(recording);
  for (std::uint32_t i = 0; i < kWarmUpTicks; ++i) timed_tick_us(*play);
  return play;
}

/// Plays the recording to its end, once.
void world_tick(benchmark::State& state, const std::string& scene) {
  const scenes::Recording recording = scenes::record(scene, kWarmUpTicks + kTicks);
  const auto play = warm_play(recording);
  const std::uint64_t events_before = play->world().last_sequence_number();
  for (auto _ : state) state.SetIterationTime(timed_tick_us(*play) / 1e6);
  const auto events = static_cast<double>(play->world().last_sequence_number() - events_before);
  state.counters["boxes"] = static_cast<double>(recording.ticks.front().added.size());
  state.counters["events"] = benchmark::Counter(events, benchmark::Counter::kAvgIterations);
}

/// A thousand in turn: each finds its world where the last level of the cache, or memory, has kept it.
void cold_world_tick(benchmark::State& state) {
  const scenes::Recording recording = scenes::record("gunbird", kWarmUpTicks + kTicks);
  std::vector<std::unique_ptr<scenes::WorldPlay>> plays;
  for (int i = 0; i < 1000; ++i) plays.push_back(warm_play(recording));
  std::size_t next = 0;
  for (auto _ : state) {
    state.SetIterationTime(timed_tick_us(*plays[next]) / 1e6);
    next = (next + 1) % plays.size();
  }
}
BENCHMARK(cold_world_tick)->Iterations(kTicks * 1000)->UseManualTime()->Unit(benchmark::kMicrosecond);

void state_hash(benchmark::State& state) {
  const scenes::Recording recording = scenes::record("bullet_hell", kTicks);
  const auto play = warm_play(recording);
  for (auto _ : state) benchmark::DoNotOptimize(play->world().state_hash());
}
BENCHMARK(state_hash)->Unit(benchmark::kMicrosecond);

/// On the playfield of the bullet hell.
collision::Point random_point(base::Dice& dice) {
  const auto x = dice.between(0, 480 * 256);
  const auto y = dice.between(0, 640 * 256);
  return {x, y};
}

constexpr std::uint64_t kEveryLayer = ~std::uint64_t{0};

template <typename Ask>
void ask_bullet_hell(benchmark::State& state, Ask ask) {
  const scenes::Recording recording = scenes::record("bullet_hell", kTicks);
  const auto play = warm_play(recording);
  base::Dice dice(1);
  for (auto _ : state) benchmark::DoNotOptimize(ask(play->world().queries(), dice));
}

void register_queries() {
  using collision::Queries;
  const auto add = [](const char* name, auto ask) {
    benchmark::RegisterBenchmark(name, [ask](benchmark::State& state) {
      ask_bullet_hell(state, ask);
    })->Unit(benchmark::kMicrosecond);
  };
  add("query/region_of_32_units", [](const Queries& queries, base::Dice& dice) {
    const collision::Point at = random_point(dice);
    return queries.in_region({at.x, at.y, at.x + 32 * 256, at.y + 32 * 256}, kEveryLayer);
  });
  add("query/ray_across_the_field", [](const Queries& queries, base::Dice& dice) {
    const collision::Point from = random_point(dice);
    return queries.first_hit({from, random_point(dice)}, kEveryLayer);
  });
  add("query/nearest", [](const Queries& queries, base::Dice& dice) {
    return queries.nearest(random_point(dice), kEveryLayer);
  });
}

collision::BitMask disc_mask(std::uint32_t side) {
  const std::uint32_t words = collision::BitMask::words_per_row(side);
  std::vector<std::uint64_t> rows(std::size_t{words} * side);
  const auto middle = static_cast<std::int64_t>(side) / 2;
  for (std::int64_t y = 0; y < side; ++y) {
    for (std::int64_t x = 0; x < side; ++x) {
      const bool is_set = (x - middle) * (x - middle) + (y - middle) * (y - middle) < middle * middle;
      if (is_set) rows[static_cast<std::size_t>(y * words + x / 64)] |= std::uint64_t{1} << x % 64;
    }
  }
  return {side, side, 256, rows};
}

/// Whether shapes of these two kinds, at random places near each other, touch.
void shape_test(benchmark::State& state, const collision::Part& a, const collision::Part& b,
                const std::vector<collision::BitMask>& masks) {
  base::Dice dice(1);
  std::vector<collision::Shape> others;
  for (int i = 0; i < 256; ++i) {
    const auto x = dice.between(-40 * 256, 40 * 256);
    const auto y = dice.between(-40 * 256, 40 * 256);
    others.push_back(place(b, {x, y}, masks));
  }
  const collision::Shape shape = place(a, {0, 0}, masks);
  std::size_t next = 0;
  for (auto _ : state) benchmark::DoNotOptimize(touch(shape, others[next++ % others.size()]));
}

void register_shapes() {
  static const std::vector<collision::BitMask> kMasks{disc_mask(64)};
  constexpr collision::Subunits kUnit = 256;
  const std::pair<const char*, collision::Part> kinds[] = {
      {"box", {.box = {-32 * kUnit, -32 * kUnit, 32 * kUnit, 32 * kUnit}}},
      {"circle", *collision::make_circle({0, 0}, 32 * kUnit, 0)},
      {"capsule",
       *collision::make_capsule({-20 * kUnit, -9 * kUnit}, {20 * kUnit, 9 * kUnit}, 12 * kUnit, 0)},
      {"mask", *collision::make_mask({-32 * kUnit, -32 * kUnit}, 0, kMasks[0], 0)}};
  for (std::size_t i = 0; i < std::size(kinds); ++i) {
    for (std::size_t j = i; j < std::size(kinds); ++j) {
      const std::string name = std::string("touch/") + kinds[i].first + "_" + kinds[j].first;
      benchmark::RegisterBenchmark(name.c_str(), shape_test, kinds[i].second, kinds[j].second, kMasks);
    }
  }
}

void register_scenes() {
  for (const std::string& scene : scenes::scene_names()) {
    benchmark::RegisterBenchmark(("world_tick/" + scene).c_str(), world_tick, scene)
        ->Iterations(kTicks)
        ->UseManualTime()
        ->Unit(benchmark::kMicrosecond);
  }
}

}  // namespace
}  // namespace sweepd::bench

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  sweepd::bench::register_scenes();
  sweepd::bench::register_queries();
  sweepd::bench::register_shapes();
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
