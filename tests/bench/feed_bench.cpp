// SPDX-License-Identifier: MIT
//
// What the world feed costs a tick beyond the match: matches of one scene side by side, watched by none, by
// one, by four and by ten that ask for the same, each with and without the feed, tick by tick in turn. Frames
// are put together and taken before the clock starts; what is measured is the tick, what is collected for the
// watchers, and the messages that their streams would send, as bytes.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <deque>
#include <vector>

#include "bench/load_play.h"
#include "session/outbox.h"
#include "session/world_codec.h"
#include "sweepd/v1/match_service.pb.h"

namespace sweepd::bench {
namespace {

constexpr std::uint32_t kWarmUpTicks = 120;
constexpr std::uint32_t kTicks = 1200;
constexpr std::size_t kUpdateBytesMax = std::size_t{1} << 20;

double cpu_time_us() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e6 + static_cast<double>(time.tv_nsec) / 1e3;
}

/// A match and those who watch it.
class WatchedPlay {
 public:
  WatchedPlay(const LoadScript& script, std::size_t watchers, bool with_world)
      : play_(script), feed_(play_.match()), outbox_(kUpdateBytesMax) {
    if (with_world) play_.match().set_observer(&feed_);
    runtime::SubscriptionOptions options;
    if (with_world) options.world = {.interest = {}, .encode = session::encode_world_tick};
    for (std::size_t i = 0; i < watchers; ++i)
      watchers_.emplace_back(options, feed(), runtime::Subscription::Own{});
  }

  double timed_tick_us() {
    play_.submit_tick();
    const double begin = cpu_time_us();
    play_.run_tick();
    feed_.tick_has_run();
    for (runtime::Subscription& watcher : watchers_) collect(watcher);
    return cpu_time_us() - begin;
  }

  std::size_t bytes() const { return bytes_; }

 private:
  runtime::Feed feed() {
    return {play_.match(), play_.log(), absences_, scores_, claims_, clock_,
            room_,         0,           0,         nullptr, nullptr, &feed_};
  }
  void collect(runtime::Subscription& watcher) {
    watcher.collect(feed(), outbox_, false);
    if (outbox_.is_empty()) return;
    outbox_.finished().SerializeToString(&message_);
    bytes_ += message_.size();
    outbox_.clear();
  }

  LoadPlay play_;
  runtime::WorldFeed feed_;
  runtime::Absences absences_;
  runtime::LatestScores scores_;
  runtime::ClaimLog claims_;
  runtime::ClockState clock_;
  runtime::ReportBuffers room_;
  std::deque<runtime::Subscription> watchers_;
  session::Outbox<v1::WatchResponse> outbox_;
  std::string message_;
  std::size_t bytes_ = 0;
};

struct Case {
  const char* name;
  std::size_t watchers;
  bool with_world;
  double us = 0;
};

void feed_cost(benchmark::State& state, tools::load::Scene (*scene_of)(std::uint32_t)) {
  const tools::load::Scene scene = scene_of(tools::load::kSubunitsPerPixel);
  const LoadScript script(scene, Flying::kByMotion);
  std::array<Case, 7> cases = {{{"none", 0, false},
                                {"one", 1, false},
                                {"one_world", 1, true},
                                {"four", 4, false},
                                {"four_world", 4, true},
                                {"ten", 10, false},
                                {"ten_world", 10, true}}};
  std::deque<WatchedPlay> plays;
  for (const Case& one : cases) plays.emplace_back(script, one.watchers, one.with_world);
  for (std::uint32_t i = 0; i < kWarmUpTicks; ++i) {
    for (WatchedPlay& play : plays) play.timed_tick_us();
  }
  std::uint32_t ticks = 0;
  for (auto _ : state) {
    // Each comes after each other one as often.
    for (std::size_t i = 0; i < cases.size(); ++i) {
      const std::size_t turn = (i + ticks) % cases.size();
      cases[turn].us += plays[turn].timed_tick_us();
    }
    ++ticks;
  }
  for (const Case& one : cases) state.counters[std::string(one.name) + "_us"] = one.us / ticks;
  const double of_one = cases[2].us - cases[1].us, of_ten = cases[6].us - cases[5].us;
  state.counters["feed_of_ten_to_one"] = of_ten / of_one;
  state.counters["tick_with_four_to_without"] = cases[4].us / cases[3].us;
  state.counters["bytes"] = static_cast<double>(plays[2].bytes() - plays[1].bytes()) / (ticks + kWarmUpTicks);
}

void register_scene(const char* name, tools::load::Scene (*scene_of)(std::uint32_t)) {
  benchmark::RegisterBenchmark((std::string("feed/") + name).c_str(), feed_cost, scene_of)
      ->Iterations(kTicks)
      ->Unit(benchmark::kMicrosecond);
}

}  // namespace
}  // namespace sweepd::bench

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  using sweepd::bench::register_scene;
  register_scene("W1", sweepd::tools::load::gunbird);
  register_scene("W2", sweepd::tools::load::bullet_hell);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
