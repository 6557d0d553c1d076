// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace sweepd::collision {

/// What one tick of a world may take. Each is counted by what the world is and not by how a broadphase works:
/// so a tick exceeds its budget with every broadphase or with none.
struct TickBudget {
  static constexpr std::uint32_t kNoLimit = ~std::uint32_t{0};

  std::uint32_t overlapping_pairs_max = kNoLimit;  ///< Pairs of parts whose bounds overlap when it is over.
  std::uint32_t tests_max = kNoLimit;              ///< Exact tests and sweeps, in units of TestMeter.
  std::uint32_t events_max = kNoLimit;             ///< Encounters that begin or end.
};

/// The budget that a tick exceeded.
enum class Excess : std::uint8_t { kNone, kOverlappingPairs, kTests, kEvents };

/// Counts a tick's exact tests against its budget. One unit is about the test of two plain shapes.
class TestMeter {
 public:
  explicit TestMeter(std::uint32_t tests_max)
      : left_(tests_max == TickBudget::kNoLimit ? ~std::uint64_t{0} : tests_max) {}

  /// Takes `units`. False: so many are not left, and none are from now on.
  bool take(std::uint64_t units) {
    if (units > left_) {
      left_ = 0;
      is_exceeded_ = true;
    } else {
      left_ -= units;
    }
    return !is_exceeded_;
  }
  std::uint64_t left() const { return left_; }
  bool is_exceeded() const { return is_exceeded_; }

 private:
  std::uint64_t left_;
  bool is_exceeded_ = false;
};

}  // namespace sweepd::collision
