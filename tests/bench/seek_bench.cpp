// SPDX-License-Identifier: MIT
//
// How long a viewer waits for a tick: half an hour of a recorded match, again and again from its beginning,
// with a key frame every 1200 ticks; opened, with all records hashed and by its index; and sought at random
// ticks. The target of a seek is 50 ms at most.
#include "bench/seek_bench.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <ctime>
#include <random>
#include <utility>
#include <vector>

#include "base/assert.h"
#include "recordings/recorded_tick.h"
#include "recordings/trace_recording.h"
#include "replay/seeker.h"
#include "replay/writer.h"

namespace sweepd::bench {
namespace {

constexpr match::Tick kTicks = 30 * 60 * 60;
constexpr match::Tick kKeyFrameTicks = 1200;
constexpr int kSeeks = 300;
constexpr double kTargetMs = 50;

double cpu_time_ms() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

/// Drives a match with a trace, and writes its replay.
class LongMatch {
 public:
  explicit LongMatch(const recordings::TraceRecording& trace)
      : trace_(trace),
        recorder_(std::move(match::Match::create(trace.config).value())),
        match_(recorder_.match()),
        writer_(replay::head_of(match_, "half an hour", "")) {}

  std::string play() {
    for (const match::ParticipantSlot& slot : trace_.config.slots) {
      SWEEPD_ASSERT(recorder_.apply(match::Join{.name = slot.name, .role = slot.role}).ok());
    }
    while (match_.tick() < kTicks) play_trace();
    writer_.finish(replay::EndReason::kStillRunning, replay::scores_of(match_), nullptr);
    return writer_.take_bytes();
  }

 private:
  void play_trace() {
    for (const replay::TickRecord& record : trace_.ticks) {
      if (record.ends_match) break;
      for (const match::Input& input : record.inputs) submit(std::get_if<match::Submission>(&input));
      if (!run_tick()) return;
    }
    clear();
    run_tick();
  }

  void submit(const match::Submission* submission) {
    if (submission == nullptr) return;
    match::Frame frame = submission->frame;
    frame.tick = 0;
    SWEEPD_ASSERT(!recorder_.apply(match::Submission{submission->number, std::move(frame)}));
  }

  /// What is left at the end of the trace, whose ids come again.
  void clear() {
    std::vector<match::Frame> frames(trace_.config.slots.size());
    const match::PastWorld world = match_.world_at(match_.tick());
    for (const match::PastObject& object : world.objects())
      frames[object.owner].despawns.push_back(object.id);
    for (match::ParticipantNumber number = 0; number < frames.size(); ++number) {
      SWEEPD_ASSERT(!recorder_.apply(match::Submission{number, std::move(frames[number])}));
    }
  }

  bool run_tick() {
    SWEEPD_ASSERT(recorder_.step().rejections.empty());
    SWEEPD_ASSERT(writer_.add(recordings::take_record(recorder_)));
    if (match_.tick() % kKeyFrameTicks == 0) {
      SWEEPD_ASSERT(
          writer_.add_key_frame({match_.tick(), match_.digest(), match::kSnapshotVersion, match_.save()}));
    }
    return match_.tick() < kTicks;
  }

  const recordings::TraceRecording& trace_;
  replay::Recorder recorder_;
  const match::Match& match_;
  replay::Writer writer_;
};

template <typename Act>
double time_ms(const Act& act) {
  const double begin = cpu_time_ms();
  act();
  return cpu_time_ms() - begin;
}

void seek(benchmark::State& state, const std::filesystem::path& trace) {
  const auto recording = recordings::record_trace(trace);
  const std::string bytes = LongMatch(recording).play();
  state.counters["open_ms"] = time_ms([&] { SWEEPD_ASSERT(!replay::Reader::open(bytes)->fault()); });
  state.counters["open_by_index_ms"] =
      time_ms([&] { SWEEPD_ASSERT(replay::Reader::open_by_index(bytes).ok()); });
  std::mt19937 random(1);
  std::vector<double> times_ms;
  for (auto _ : state) {
    const auto reader = replay::Reader::open_by_index(bytes);
    for (int i = 0; i < kSeeks; ++i) {
      auto seeker = std::move(replay::Seeker::open(*reader).value());
      const match::Tick tick = 1 + random() % kTicks;
      times_ms.push_back(time_ms([&] { SWEEPD_ASSERT(!seeker.seek(tick)); }));
      state.SetIterationTime(times_ms.back() / 1e3);
    }
  }
  std::ranges::sort(times_ms);
  state.counters["bytes"] = static_cast<double>(bytes.size());
  state.counters["p50_ms"] = times_ms[times_ms.size() / 2];
  state.counters["max_ms"] = times_ms.back();
  state.counters["target_ms"] = kTargetMs;
}

}  // namespace

void register_seek(const std::string& name, const std::filesystem::path& trace) {
  benchmark::RegisterBenchmark(("seek/" + name).c_str(), [=](benchmark::State& state) { seek(state, trace); })
      ->UseManualTime()
      ->Iterations(1)
      ->Unit(benchmark::kMillisecond);
}

}  // namespace sweepd::bench
