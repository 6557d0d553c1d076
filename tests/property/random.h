// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <random>

namespace sweepd::property {

/// Random choices from a seed. The standard's distributions differ between libraries; these do not.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  /// From `low` to `high`, both included. Slightly uneven for huge ranges, which does no harm here.
  std::int64_t between(std::int64_t low, std::int64_t high) {
    const std::uint64_t span = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) + 1;
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) +
                                     (span == 0 ? engine_() : engine_() % span));
  }

  std::size_t index(std::size_t count) { return static_cast<std::size_t>(engine_() % count); }
  bool chance(std::uint32_t percent) { return engine_() % 100 < percent; }

 private:
  std::mt19937_64 engine_;
};

}  // namespace sweepd::property
