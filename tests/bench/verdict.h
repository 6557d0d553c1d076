// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/measurement.h"

namespace sweepd::bench {

/// The contender whose figures the targets are about.
inline constexpr const char* kChampion = "sweep_and_prune";

/// How the champion does in one scene. What could not be measured is absent.
struct Verdict {
  std::string scene;
  std::string best_peer;
  std::optional<double> ratio;     ///< Best peer to champion.
  std::optional<double> target;    ///< The ratio it must reach.
  std::optional<double> to_plain;  ///< Champion to the faster of brute force and the plain grid.
  bool is_met = true;
};

/// The champion must never take more than this many times the faster of brute force and the plain grid.
inline constexpr double kToPlainMax = 1.1;
inline constexpr double kGrowthMax = 1.1;

Verdict judge(const SceneFigures& figures);

/// What 200 spawns and 200 despawns a tick may make of the champion's cost: this many times that without.
inline constexpr double kChurnMax = 1.3;

/// The champion's cost with them, to that without, if both were measured.
std::optional<double> churn_ratio(const std::vector<SceneFigures>& scenes);

/// The exponent of the champion's cost from 1k to 100k boxes, if both were measured.
std::optional<double> growth(const std::vector<SceneFigures>& scenes);

}  // namespace sweepd::bench
