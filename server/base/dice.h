// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace sweepd::base {

/// Chance from a seed (the SplitMix64 sequence): integers only, so that every run on every machine has the
/// same.
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
  std::int32_t between(std::int32_t low, std::int32_t high) {
    const auto span = static_cast<std::uint64_t>(std::int64_t{high} - low + 1);
    return static_cast<std::int32_t>(low + static_cast<std::int64_t>(roll() % span));
  }

 private:
  std::uint64_t state_;
};

}  // namespace sweepd::base
