// SPDX-License-Identifier: MIT
#include "bench/verdict.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace sweepd::bench {
namespace {

/// At least this many times as fast as the best library peer.
const std::map<std::string, double> kTargets = {
    {"gunbird", 3.4},   {"bullet_hell", 5.6}, {"hail", 8.3},     {"boss_stream", 5.0}, {"moertel_50", 5},
    {"moertel_100", 4}, {"moertel_200", 6},   {"arena_1k", 5.3}, {"arena_10k", 10},    {"arena_100k", 16},
    {"teleport", 13},   {"column", 4.2},      {"stack500", 100}, {"sleepy10k", 1.5},
};

const Figure* champion_in(const std::vector<SceneFigures>& scenes, const char* name) {
  const auto found = std::ranges::find(scenes, name, &SceneFigures::scene);
  return found == scenes.end() ? nullptr : found->find(kChampion);
}

}  // namespace

Verdict judge(const SceneFigures& figures) {
  Verdict verdict;
  verdict.scene = figures.scene;
  if (const auto target = kTargets.find(figures.scene); target != kTargets.end()) {
    verdict.target = target->second;
  }
  const Figure* champion = figures.find(kChampion);
  if (champion == nullptr || champion->ticks == 0) return verdict;
  if (const Figure* peer = figures.best(Side::kPeer)) {
    verdict.best_peer = peer->contender;
    verdict.ratio = peer->median_us / champion->median_us;
    if (verdict.target && *verdict.ratio < *verdict.target) verdict.is_met = false;
  }
  if (const Figure* plain = figures.best(Side::kPlain)) {
    verdict.to_plain = champion->median_us / plain->median_us;
    if (*verdict.to_plain > kToPlainMax) verdict.is_met = false;
  }
  return verdict;
}

std::optional<double> churn_ratio(const std::vector<SceneFigures>& scenes) {
  const Figure* steady = champion_in(scenes, "bullet_hell");
  const Figure* churning = champion_in(scenes, "boss_stream");
  if (steady == nullptr || churning == nullptr) return std::nullopt;
  return churning->median_us / steady->median_us;
}

std::optional<double> growth(const std::vector<SceneFigures>& scenes) {
  const Figure* small = champion_in(scenes, "arena_1k");
  const Figure* large = champion_in(scenes, "arena_100k");
  if (small == nullptr || large == nullptr) return std::nullopt;
  return std::log(large->median_us / small->median_us) / std::log(100.0);
}

}  // namespace sweepd::bench
