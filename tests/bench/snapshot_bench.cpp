// SPDX-License-Identifier: MIT
//
// What a key frame costs: to save a match, to restore it, and how many bytes it takes, with and without a
// past; where frames move everything and where bullets are left to the server's motion; and after as many
// ticks as a match of half an hour has.
#include <benchmark/benchmark.h>

#include <ctime>
#include <memory>
#include <string>
#include <utility>

#include "bench/match_play.h"
#include "scenes/scene.h"

namespace sweepd::bench {
namespace {

constexpr std::uint32_t kTicks = 260;  // More than the past has.
constexpr std::uint32_t kLongTicks = 30 * 60 * 60;

/// Of this thread, so that a machine that does other things as well does not tell them as ours.
double cpu_time_us() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e6 + static_cast<double>(time.tv_nsec) / 1e3;
}

struct Play {
  std::string name;
  std::string scene;
  std::uint32_t ticks;
  MatchPlay::Options options;
};

/// Without a recording of all its ticks, which would not fit the memory.
std::unique_ptr<MatchPlay> played(const Play& what, const scenes::Recording& first_tick) {
  auto play = std::make_unique<MatchPlay>(first_tick, what.options);
  scenes::Scene scene = scenes::make_scene(what.scene);
  collision::PartChanges changes;
  for (std::uint32_t i = 0; i < what.ticks; ++i) {
    scene.stage.next(changes);
    play->submit(changes);
    play->run_tick();
  }
  return play;
}

void save(benchmark::State& state, const Play& what) {
  const scenes::Recording recording = scenes::record(what.scene, 1);
  const auto play = played(what, recording);
  std::string snapshot;
  for (auto _ : state) {
    const double begin = cpu_time_us();
    snapshot = play->match().save();
    state.SetIterationTime((cpu_time_us() - begin) / 1e6);
  }
  const auto objects = static_cast<double>(play->match().object_count());
  state.counters["objects"] = objects;
  state.counters["bytes"] = static_cast<double>(snapshot.size());
  state.counters["bytes/object"] = static_cast<double>(snapshot.size()) / objects;
}

void restore(benchmark::State& state, const Play& what) {
  const scenes::Recording recording = scenes::record(what.scene, 1);
  const auto play = played(what, recording);
  const std::string snapshot = play->match().save();
  for (auto _ : state) {
    const double begin = cpu_time_us();
    auto match = match::Match::restore(play->match().config(), snapshot);
    state.SetIterationTime((cpu_time_us() - begin) / 1e6);
    if (!match || (*match)->digest() != play->match().digest()) state.SkipWithError("not restored");
  }
}

void add(const Play& what) {
  const std::string name = what.name + (what.options.bullets_move_themselves ? "/motion" : "/frames") +
                           "/history:" + std::to_string(what.options.history_ticks);
  for (const bool is_save : {true, false}) {
    benchmark::RegisterBenchmark(((is_save ? "save/" : "restore/") + name).c_str(), is_save ? save : restore,
                                 what)
        ->Iterations(30)
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond);
  }
}

}  // namespace
}  // namespace sweepd::bench

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  using namespace sweepd;
  for (const auto& [name, scene] : {std::pair("W1", "gunbird"), std::pair("W2", "bullet_hell")}) {
    for (const bool bullets_move_themselves : {false, true}) {
      for (const std::uint32_t history_ticks : {0u, 120u}) {
        bench::add({name, scene, bench::kTicks, {history_ticks, bullets_move_themselves}});
      }
    }
  }
  bench::add({"W1_half_an_hour", "gunbird", bench::kLongTicks, {120, false}});
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
