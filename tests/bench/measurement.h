// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bench/contender.h"

namespace sweepd::bench {

struct MeasurementOptions {
  std::vector<std::string> contenders;  ///< Only these, and what they are compared with; none: all.
  std::uint32_t ticks = 0;              ///< Timed ticks of each scene; 0: as many as suit its size.
  std::uint32_t rounds = 5;             ///< The contenders take turns so often.
  double budget_s = 1;  ///< A contender that has taken so long on a scene sits out what is left.
};

/// What one contender took for a tick of one scene.
struct Figure {
  std::string contender;
  Side side = Side::kPlain;
  double median_us = 0;
  double fastest_us = 0;
  std::uint32_t ticks = 0;
  bool agrees = true;  ///< It came to the same pairs as the reference.
};

struct SceneFigures {
  std::string scene;
  std::uint32_t box_count = 0;
  std::vector<Figure> figures;

  const Figure* find(const std::string& contender) const;
  /// The fastest of one side; null if it has none. Side::kPlain: of brute force and the plain grid.
  const Figure* best(Side side) const;
};

/// Plays `scene` with every contender, in turns: what disturbs the machine hits all of them alike.
SceneFigures measure(const std::string& scene, const MeasurementOptions& options);

/// Whether it would take minutes to see what everyone knows.
bool is_hopeless(const std::string& contender, const std::string& scene, std::uint32_t box_count);

/// Timed ticks that suit a scene of so many boxes.
std::uint32_t suitable_ticks(std::uint32_t box_count);

}  // namespace sweepd::bench
