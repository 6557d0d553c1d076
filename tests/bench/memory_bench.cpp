// SPDX-License-Identifier: MIT
//
// What a match keeps in memory: many of them at once, after as many ticks as its log and its history go back
// and more, in bytes a match. `bytes`: what is asked of the heap. `resident_bytes`: how much the process has
// grown by.
#include <benchmark/benchmark.h>
#include <cstdint>

#include <unistd.h>

#include "bench/load_play.h"
#include "bench/world_time.h"
#include "os/resident_memory.h"

namespace sweepd::bench {
namespace {

constexpr std::size_t kMatches = 32;
constexpr std::uint32_t kTicks = 800;

std::size_t resident_bytes() { return os::ResidentMemory(getpid()).bytes(); }

/// Of a match; less than 0 where what was there before has gone meanwhile.
double bytes_each(std::size_t before, std::size_t now) {
  return static_cast<double>(static_cast<std::int64_t>(now) - static_cast<std::int64_t>(before)) / kMatches;
}

void match_memory(benchmark::State& state, tools::load::Scene (*scene_of)(std::uint32_t), Flying flying) {
  const tools::load::Scene scene = scene_of(tools::load::kSubunitsPerPixel);
  const LoadScript script(scene, flying);
  LoadPlay(script).play_tick();  // What the process has only once.
  for (auto _ : state) {
    const std::size_t bytes_before = heap_bytes();
    const std::size_t resident_before = resident_bytes();
    std::vector<LoadPlay> plays;
    plays.reserve(kMatches);
    for (std::size_t i = 0; i < kMatches; ++i) plays.emplace_back(script);
    for (std::uint32_t tick = 0; tick < kTicks; ++tick) {
      for (LoadPlay& play : plays) play.play_tick();
    }
    state.counters["bytes"] = bytes_each(bytes_before, heap_bytes());
    state.counters["resident_bytes"] = bytes_each(resident_before, resident_bytes());
    state.counters["objects"] = static_cast<double>(plays.front().match().object_count());
    state.counters["events"] = static_cast<double>(plays.front().match().last_sequence_number()) / kTicks;
  }
}

void register_scene(const std::string& name, tools::load::Scene (*scene_of)(std::uint32_t)) {
  for (const Flying flying : {Flying::kByFrames, Flying::kByMotion}) {
    const std::string who = flying == Flying::kByFrames ? "/frames" : "/motion";
    benchmark::RegisterBenchmark(("match_memory/" + name + who).c_str(), match_memory, scene_of, flying)
        ->Iterations(1)
        ->Unit(benchmark::kMillisecond);
  }
}

}  // namespace
}  // namespace sweepd::bench

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  sweepd::bench::register_scene("W1", sweepd::tools::load::gunbird);
  sweepd::bench::register_scene("W2", sweepd::tools::load::bullet_hell);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
