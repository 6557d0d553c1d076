// SPDX-License-Identifier: MIT
//
// What a match's past costs: a tick with and without history, where frames move everything and where bullets
// are left to the server's motion; and the memory that it takes.
#include <benchmark/benchmark.h>

#include <ctime>

#include "bench/match_play.h"
#include "bench/world_time.h"

namespace sweepd::bench {
namespace {

constexpr std::uint32_t kHistoryTicks = 120;
constexpr std::uint32_t kWarmUpTicks = kHistoryTicks + 10;
constexpr std::uint32_t kTicks = 120;

/// Of this thread, so that a machine that does other things as well does not tell them as ours.
double cpu_time_us() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e6 + static_cast<double>(time.tv_nsec) / 1e3;
}

double timed_tick_us(MatchPlay& play) {
  play.submit_tick();
  const double begin = cpu_time_us();
  play.run_tick();
  return cpu_time_us() - begin;
}

void match_tick(benchmark::State& state, const scenes::Recording& recording, MatchPlay::Options options) {
  const std::size_t bytes_before = heap_bytes();
  MatchPlay play(recording, options);
  for (std::uint32_t i = 0; i < kWarmUpTicks; ++i) timed_tick_us(play);
  for (auto _ : state) state.SetIterationTime(timed_tick_us(play) / 1e6);
  state.counters["objects"] = static_cast<double>(play.match().object_count());
  state.counters["bytes"] = static_cast<double>(heap_bytes() - bytes_before);
}

void register_ticks(const scenes::Recording& recording) {
  for (const bool bullets_move_themselves : {false, true}) {
    for (const std::uint32_t history_ticks : {0u, kHistoryTicks}) {
      const std::string name = std::string("match_tick/") + (bullets_move_themselves ? "motion" : "frames") +
                               "/history:" + std::to_string(history_ticks);
      const MatchPlay::Options options{history_ticks, bullets_move_themselves};
      benchmark::RegisterBenchmark(name.c_str(), match_tick, recording, options)
          ->Iterations(kTicks)
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
  using namespace sweepd;
  const scenes::Recording recording = scenes::record("bullet_hell", bench::kWarmUpTicks + bench::kTicks + 1);
  bench::register_ticks(recording);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
