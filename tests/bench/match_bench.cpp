// SPDX-License-Identifier: MIT
//
// What a match's past costs: a tick with and without history, where frames move everything and where bullets
// are left to the server's motion; the memory that it takes; a thousand claims judged by it; and what rules
// cost: templates with all that a strict profile says, side by side with a match without, in one run.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <ctime>
#include <vector>

#include "base/dice.h"
#include "bench/match_play.h"
#include "bench/world_time.h"

namespace sweepd::bench {
namespace {

using collision::ObjectId;

constexpr std::uint32_t kHistoryTicks = 120;
constexpr std::uint32_t kWarmUpTicks = kHistoryTicks + 10;
constexpr std::uint32_t kTicks = 120;
constexpr std::uint32_t kRuleTicks = 600;

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
  state.counters["events"] =
      static_cast<double>(play.match().last_sequence_number()) / static_cast<double>(play.match().tick());
}

/// Tick by tick in turn, so that whatever else the machine does falls on both.
void match_rules(benchmark::State& state, const scenes::Recording& recording, MatchPlay::Options options) {
  options.has_rules = false;
  MatchPlay without(recording, options);
  options.has_rules = true;
  MatchPlay with(recording, options);
  for (std::uint32_t i = 0; i < kWarmUpTicks; ++i) {
    timed_tick_us(without);
    timed_tick_us(with);
  }
  std::vector<double> ratios;
  double sum_without = 0, sum_with = 0;
  for (auto _ : state) {
    const bool is_first = ratios.size() % 2 == 0;
    double us_with = is_first ? timed_tick_us(with) : 0;
    const double us_without = timed_tick_us(without);
    if (!is_first) us_with = timed_tick_us(with);
    ratios.push_back(us_with / us_without);
    sum_without += us_without;
    sum_with += us_with;
    state.SetIterationTime(us_with / 1e6);
  }
  std::nth_element(ratios.begin(), ratios.begin() + static_cast<std::ptrdiff_t>(ratios.size() / 2),
                   ratios.end());
  state.counters["without_us"] = sum_without / static_cast<double>(ratios.size());
  state.counters["cost_percent"] = 100 * (sum_with / sum_without - 1);
  state.counters["cost_percent_median"] = 100 * (ratios[ratios.size() / 2] - 1);
  state.counters["refused"] = static_cast<double>(with.match().participants().front().rejections);
}

/// A thousand claims of shots against enemies, each as of one of the last 30 ticks; most are near misses or
/// worse.
void judge_claims(benchmark::State& state, const scenes::Recording& recording, MatchPlay::Options options) {
  MatchPlay play(recording, options);
  for (std::uint32_t i = 0; i < kWarmUpTicks; ++i) timed_tick_us(play);
  const match::Match& match = play.match();
  std::vector<ObjectId> shots, enemies;
  const match::PastWorld world = match.world_at(match.tick());
  for (const match::PastObject& object : world.objects()) {
    if (object.parts.front().layer == scenes::kShot) shots.push_back(object.id);
    if (object.parts.front().layer == scenes::kEnemy) enemies.push_back(object.id);
  }
  base::Dice dice(1);
  const auto pick = [&dice](const std::vector<ObjectId>& ids) {
    return ids[static_cast<std::size_t>(dice.between(0, static_cast<std::int32_t>(ids.size()) - 1))];
  };
  const match::Claimant claimant{.number = play.stage(), .arrival_tick = match.tick(), .delay_ticks = 30};
  std::vector<match::HitClaim> claims;
  for (int i = 0; i < 1000; ++i) {
    claims.push_back({.shot = pick(shots),
                      .target = pick(enemies),
                      .tick_seen = match.tick() - static_cast<match::Tick>(dice.between(0, 30)),
                      .tolerance = 512});
  }
  std::size_t measured = 0;
  for (auto _ : state) {
    const double begin = cpu_time_us();
    for (const match::HitClaim& claim : claims) measured += match.judge(claimant, claim).evidence ? 1 : 0;
    state.SetIterationTime((cpu_time_us() - begin) / 1e6);
  }
  state.counters["measured"] =
      benchmark::Counter(static_cast<double>(measured), benchmark::Counter::kAvgIterations);
}

void register_claims(const scenes::Recording& recording) {
  for (const bool bullets_move_themselves : {false, true}) {
    const std::string name =
        std::string("thousand_claims/") + (bullets_move_themselves ? "motion" : "frames");
    const MatchPlay::Options options{kHistoryTicks, bullets_move_themselves};
    benchmark::RegisterBenchmark(name.c_str(), judge_claims, recording, options)
        ->Iterations(20)
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond);
  }
}

void register_rules(const scenes::Recording& recording, const std::string& scene) {
  for (const bool bullets_move_themselves : {false, true}) {
    const std::string name = "match_rules/" + scene + (bullets_move_themselves ? "/motion" : "/frames");
    const MatchPlay::Options options{kHistoryTicks, bullets_move_themselves};
    benchmark::RegisterBenchmark(name.c_str(), match_rules, recording, options)
        ->Iterations(kRuleTicks)
        ->UseManualTime()
        ->Unit(benchmark::kMicrosecond);
  }
}

void register_ticks(const scenes::Recording& recording, const std::string& scene) {
  for (const bool bullets_move_themselves : {false, true}) {
    for (const std::uint32_t history_ticks : {0u, kHistoryTicks}) {
      const std::string name = "match_tick/" + scene + (bullets_move_themselves ? "/motion" : "/frames") +
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
  constexpr std::uint32_t kRecordedTicks = bench::kWarmUpTicks + bench::kRuleTicks + 1;
  const scenes::Recording w1 = scenes::record("gunbird", kRecordedTicks);
  const scenes::Recording w2 = scenes::record("bullet_hell", kRecordedTicks);
  bench::register_ticks(w1, "W1");
  bench::register_ticks(w2, "W2");
  bench::register_rules(w1, "W1");
  bench::register_rules(w2, "W2");
  bench::register_claims(w2);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
