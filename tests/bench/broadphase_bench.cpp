// SPDX-License-Identifier: MIT
//
// A tick of every scene with every broadphase and every library peer. A contender that comes to other pairs
// than the reference fails.
#include <benchmark/benchmark.h>

#include "bench/measurement.h"
#include "bench/play.h"
#include "scenes/scene.h"

namespace sweepd::bench {
namespace {

/// Not timed: the first tick of all, and some for memory to grow to its size.
constexpr std::uint32_t kWarmUpTicks = 4;

struct Prepared {
  scenes::Recording recording;
  Digests reference;
};

/// Of the scene that was asked for last: benchmarks of one scene come one after the other.
const Prepared& prepare(const std::string& scene, std::uint32_t box_count) {
  static std::unique_ptr<Prepared> prepared;
  if (prepared == nullptr || prepared->recording.name != scene) {
    prepared = std::make_unique<Prepared>();
    prepared->recording = scenes::record(scene, kWarmUpTicks + suitable_ticks(box_count));
    prepared->reference = reference_digests(prepared->recording);
  }
  return *prepared;
}

/// Plays the recording to its end, once.
void play_ticks(benchmark::State& state, const std::string& scene, const ContenderInfo& contender,
                std::uint32_t box_count) {
  const auto& [recording, reference] = prepare(scene, box_count);
  Play play(recording, contender);
  play.advance(kWarmUpTicks, kWarmUpTicks);
  for (auto _ : state) {
    play.advance(1, 0);
    state.SetIterationTime(play.tick_times_us().back() / 1e6);
  }
  if (!agree(play.digests(), reference)) state.SkipWithError("other pairs than the reference");
  state.counters["boxes"] = box_count;
}

void register_all() {
  for (const std::string& scene : scenes::scene_names()) {
    const auto box_count = static_cast<std::uint32_t>(scenes::record(scene, 1).ticks.front().added.size());
    for (const ContenderInfo& contender : contenders()) {
      if (is_hopeless(contender.name, scene, box_count)) continue;
      benchmark::RegisterBenchmark((scene + "/" + contender.name).c_str(), play_ticks, scene, contender,
                                   box_count)
          ->Iterations(suitable_ticks(box_count))
          ->UseManualTime()
          ->Unit(benchmark::kMicrosecond);
    }
  }
}

}  // namespace
}  // namespace sweepd::bench

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  sweepd::bench::register_all();
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
