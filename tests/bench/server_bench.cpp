// SPDX-License-Identifier: MIT
//
// What frames and ticks cost the server. Without its network: microseconds of CPU and requests to the heap
// for decoding the frames of four clients, handing them to the match, and running a tick with all that its
// four streams are told of it. And all of it together, over real connections, in a process of its own.
#include <benchmark/benchmark.h>
#include <malloc.h>

#include <ctime>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "base/assert.h"
#include "bench/grpc_echo_process.h"
#include "bench/server_bench_heap.h"
#include "bench/server_bench_host.h"
#include "bench/server_bench_loopback.h"
#include "bench/server_bench_server.h"
#include "scenes/scene.h"

namespace sweepd::bench {
namespace {

constexpr std::uint32_t kWarmUpTicks = 130;  // Until the history is full.
constexpr std::uint32_t kTicks = 240;
constexpr int kRestTicks = 120;
constexpr int kTickRateHz = 60;
constexpr std::size_t kLoopbackMatches = 50;

/// Of this thread, so that a machine that does other things as well does not tell them as ours.
double cpu_time_us() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e6 + static_cast<double>(time.tv_nsec) / 1e3;
}

struct Cost {
  double us = 0;
  HeapUse heap;

  template <typename Work>
  void add(Work&& work) {
    const HeapUse before = heap_use_of_this_thread();
    const double begin = cpu_time_us();
    work();
    us += cpu_time_us() - begin;
    const HeapUse used = heap_use_of_this_thread() - before;
    heap.allocations += used.allocations;
    heap.bytes += used.bytes;
  }
};

struct Costs {
  Cost decode, submit, tick, rest_tick;
  double telling_us = 0;
  std::size_t frame_bytes = 0, updates = 0, update_bytes = 0, events = 0;

  void add_tick(HostPlay& play) {
    play.lay_out_tick();
    decode.add([&] { play.decode_frames(); });
    submit.add([&] { play.submit_frames(); });
    const std::uint64_t events_before = play.match().last_sequence_number();
    const auto tick_before = play.match().tick();
    tick.add([&] { play.run_tick(); });
    SWEEPD_ASSERT(play.match().tick() <= tick_before + 1);
    telling_us += play.telling_us();
    frame_bytes += play.frame_bytes();
    updates += play.updates();
    update_bytes += play.update_bytes();
    events += play.match().last_sequence_number() - events_before;
  }

  /// One in which nobody has sent anything.
  void add_rest_tick(HostPlay& play) {
    rest_tick.add([&] { play.run_tick(); });
  }

  double us() const { return decode.us + submit.us + tick.us; }
};

void report(benchmark::State& state, const Costs& costs) {
  const auto ticks = static_cast<double>(state.iterations());
  const double frames = ticks * SceneTraffic::kClients;
  const auto each = [&state](const char* name, double sum, double count) {
    state.counters[name] = sum / count;
  };
  each("decode_us/frame", costs.decode.us, frames);
  each("decode_allocs/frame", static_cast<double>(costs.decode.heap.allocations), frames);
  each("submit_us/frame", costs.submit.us, frames);
  each("submit_allocs/frame", static_cast<double>(costs.submit.heap.allocations), frames);
  // All that a frame causes: what the tick takes less without any is its share of the tick.
  const double rest_tick_us = costs.rest_tick.us / kRestTicks;
  const double caused_us = costs.decode.us + costs.submit.us + costs.tick.us - rest_tick_us * ticks;
  each("us/frame", caused_us, frames);
  each("bytes/frame", static_cast<double>(costs.frame_bytes), frames);
  each("tick_us", costs.tick.us, ticks);
  each("telling_us/tick", costs.telling_us, ticks);
  each("rest_tick_us", costs.rest_tick.us, kRestTicks);
  each("rest_tick_allocs", static_cast<double>(costs.rest_tick.heap.allocations), kRestTicks);
  each("tick_allocs", static_cast<double>(costs.tick.heap.allocations), ticks);
  each("tick_alloc_bytes", static_cast<double>(costs.tick.heap.bytes), ticks);
  each("updates/tick", static_cast<double>(costs.updates), ticks);
  each("bytes/update", static_cast<double>(costs.update_bytes),
       static_cast<double>(std::max<std::size_t>(costs.updates, 1)));
  each("events/tick", static_cast<double>(costs.events), ticks);
  state.counters["ms/match_second"] = costs.us() / ticks * kTickRateHz / 1000;
}

/// What is asked for and held, by whoever.
std::size_t held_bytes() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

void play_scene(benchmark::State& state, const SceneTraffic& traffic) {
  const std::size_t held_before = held_bytes();
  HostPlay play(traffic);
  Costs warm_up, costs;
  for (std::uint32_t i = 0; i < kWarmUpTicks; ++i) warm_up.add_tick(play);
  for (auto _ : state) {
    const double before = costs.us();
    costs.add_tick(play);
    state.SetIterationTime((costs.us() - before) / 1e6);
  }
  const std::size_t held_after = held_bytes();
  for (int i = 0; i < kRestTicks; ++i) costs.add_rest_tick(play);
  report(state, costs);
  state.counters["held_KB"] = static_cast<double>(held_after - held_before) / 1e3;
}

const char* name_of(Movement movement) {
  return movement == Movement::kExplicit ? "explicit" : "server_motion";
}

/// A scene as its clients send it; made when it is first asked for, as recording takes longer than playing.
class LazyTraffic {
 public:
  LazyTraffic(std::string scene, Movement movement) : scene_(std::move(scene)), movement_(movement) {}
  const SceneTraffic& get() {
    if (!traffic_) traffic_.emplace(scenes::record(scene_, kWarmUpTicks + kTicks + 1), movement_);
    return *traffic_;
  }

 private:
  std::string scene_;
  Movement movement_;
  std::optional<SceneTraffic> traffic_;
};

void play_loopback(benchmark::State& state, ServerChild& server, const SceneTraffic& traffic,
                   const LoopbackOptions& options) {
  LoopbackFigures figures;
  for (auto _ : state) {
    figures = play_over_loopback(server, traffic, options);
    state.SetIterationTime(figures.cpu_us / 1e6);
  }
  const auto frames = static_cast<double>(figures.frames);
  const double match_seconds = figures.seconds * static_cast<double>(options.matches);
  state.counters["us/frame"] = figures.cpu_us / frames;
  state.counters["allocs/frame"] = static_cast<double>(figures.allocations) / frames;
  state.counters["ms/match_second"] = figures.cpu_us / 1e3 / match_seconds;
  state.counters["updates/tick"] = static_cast<double>(figures.updates) / match_seconds / kTickRateHz;
  state.counters["bytes/update"] =
      static_cast<double>(figures.update_bytes) / static_cast<double>(figures.updates);
}

void register_loopback(ServerChild& server, Movement movement, bool is_connection_shared) {
  const auto traffic = std::make_shared<LazyTraffic>("gunbird", movement);
  const std::string name = std::string("loopback/W1/") + name_of(movement) +
                           (is_connection_shared ? "/shared_connection" : "/own_connections");
  const LoopbackOptions options{.matches = kLoopbackMatches, .is_connection_shared = is_connection_shared};
  benchmark::RegisterBenchmark(name.c_str(),
                               [traffic, &server, options](benchmark::State& state) {
                                 play_loopback(state, server, traffic->get(), options);
                               })
      ->Iterations(1)
      ->UseManualTime()
      ->Unit(benchmark::kMillisecond);
}

void register_scene(const std::string& name, const std::string& scene, Movement movement) {
  const auto traffic = std::make_shared<LazyTraffic>(scene, movement);
  benchmark::RegisterBenchmark((name + '/' + name_of(movement)).c_str(),
                               [traffic](benchmark::State& state) { play_scene(state, traffic->get()); })
      ->Iterations(kTicks)
      ->UseManualTime()
      ->Unit(benchmark::kMicrosecond);
}

}  // namespace
}  // namespace sweepd::bench

int main(int argc, char** argv) {
  using namespace sweepd;
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  const bool has_two_cores = std::thread::hardware_concurrency() > 1;
  bench::ServerChild server(has_two_cores ? 0 : -1);
  bench::stay_on_core(has_two_cores ? 1 : -1);
  bench::register_scene("ships", "arena_4", bench::Movement::kExplicit);
  for (const auto movement : {bench::Movement::kExplicit, bench::Movement::kServerMotion}) {
    bench::register_scene("W1", "gunbird", movement);
    bench::register_scene("W2", "bullet_hell", movement);
    for (const bool is_shared : {false, true}) bench::register_loopback(server, movement, is_shared);
  }
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
