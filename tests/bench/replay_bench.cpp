// SPDX-License-Identifier: MIT
//
// What a replay costs: ticks verified in a second of one core, reading and all, and bytes for each explicit
// move; of the recorded matches in tests/golden/traces and in SWEEPD_TRACES, and of a bullet pattern that the
// server moves by itself, where the bytes are for each object and tick. And how long a viewer waits for a
// tick: see seek_bench.cpp.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "bench/seek_bench.h"
#include "recordings/recorded_tick.h"
#include "recordings/replay_bytes.h"
#include "recordings/trace_recording.h"
#include "replay/verification.h"

namespace fs = std::filesystem;

namespace sweepd::bench {
namespace {

/// Of this thread, so that a machine that does other things as well does not tell them as ours.
double cpu_time_s() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

void verify_replay(benchmark::State& state, const std::string& bytes, double ticks, double rows) {
  for (auto _ : state) {
    const double begin = cpu_time_s();
    const replay::Verification result = replay::verify(bytes);
    state.SetIterationTime(cpu_time_s() - begin);
    if (result.verdict != replay::ReplayVerdict::kVerified) state.SkipWithError(result.what.c_str());
  }
  state.counters["ticks_per_second"] =
      benchmark::Counter(ticks, benchmark::Counter::kIsIterationInvariantRate);
  state.counters["bytes_per_row"] = static_cast<double>(bytes.size()) / rows;
  state.counters["bytes"] = static_cast<double>(bytes.size());
}

void register_replay(const std::string& name, const std::string& bytes, std::size_t ticks, std::size_t rows) {
  benchmark::RegisterBenchmark(name.c_str(),
                               [=](benchmark::State& state) {
                                 verify_replay(state, bytes, static_cast<double>(ticks),
                                               static_cast<double>(rows));
                               })
      ->UseManualTime()
      ->Unit(benchmark::kMillisecond);
}

void register_traces(const fs::path& folder) {
  if (!fs::is_directory(folder)) return;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string file = entry.path().filename().string();
    if (!file.ends_with(".trace.xz")) continue;
    const std::string name = file.substr(0, file.find('.'));
    const auto recording = recordings::record_trace(entry.path());
    const auto register_with = [&](const std::string& kind, std::uint32_t key_frame_ticks) {
      const std::string bytes = recordings::write_replay(recording.config, recording.ticks,
                                                         {.writer = {}, .key_frame_ticks = key_frame_ticks});
      register_replay(kind + name, bytes, recording.ticks.size(), recording.moves);
    };
    register_with("verify/", 0);
    // Twice as many as a server writes: the traces are short.
    register_with("verify_with_key_frames/", 600);
    register_seek(name, entry.path());
  }
}

/// Five hundred bullets in the air, all in motion by themselves; each tick some come and some go.
void register_motion() {
  constexpr std::uint32_t kTicks = 1'800;
  match::MatchConfig config;
  config.layers = {"player", "bullet"};
  config.collides = {{"player", "bullet"}};
  replay::Recorder recorder(std::move(match::Match::create(config).value()));
  const auto stage = recorder.apply(match::Join{"stage", match::Role::kStage}).value();
  std::vector<replay::TickRecord> records;
  std::size_t objects = 0;
  for (std::uint32_t tick = 0; tick < kTicks; ++tick) {
    match::Frame frame;
    for (std::uint32_t i = 0; tick % 20 == 0 && i < 56; ++i) {
      collision::ObjectSpec bullet;
      bullet.id = stage.first_id + tick / 20 * 56 + i;
      bullet.parts.push_back({.box = {-256, -256, 256, 256}, .layer = 1});
      bullet.motion.velocity = {static_cast<std::int32_t>(i) * 20 - 560,
                                300 + static_cast<std::int32_t>(i % 7) * 9};
      bullet.time_to_live_ticks = 180;
      frame.spawns.push_back(std::move(bullet));
    }
    if (!frame.spawns.empty()) recorder.apply(match::Submission{stage.number, std::move(frame)});
    recorder.step();
    records.push_back(recordings::take_record(recorder));
    objects += recorder.match().object_count();
  }
  register_replay("verify/server_motion", recordings::write_replay(config, records, {.writer = {}}), kTicks,
                  objects);
}

}  // namespace
}  // namespace sweepd::bench

int main(int argc, char** argv) {
  const char* source = std::getenv("SWEEPD_SOURCE_DIR");
  sweepd::bench::register_traces(fs::path(source != nullptr ? source : ".") / "tests/golden/traces");
  if (const char* more = std::getenv("SWEEPD_TRACES")) sweepd::bench::register_traces(more);
  sweepd::bench::register_motion();
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
