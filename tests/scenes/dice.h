// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "collision/geometry.h"

namespace sweepd::scenes {

/// Chance from a seed (the SplitMix64 sequence): integers only, so that every machine plays the same scene.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed) {}

  std::uint64_t roll() {
    state_ += 0x9E3779B97F4A7C15u;
    std::uint64_t mixed = (state_ ^ (state_ >> 30)) * 0xBF58476D1CE4E5B9u;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBu;
    return mixed ^ (mixed >> 31);
  }

  /// From `low` to `high`, both included.
  collision::Subunits between(collision::Subunits low, collision::Subunits high) {
    const auto span = static_cast<std::uint64_t>(std::int64_t{high} - low + 1);
    return static_cast<collision::Subunits>(low + static_cast<std::int64_t>(roll() % span));
  }

 private:
  std::uint64_t state_;
};

}  // namespace sweepd::scenes
