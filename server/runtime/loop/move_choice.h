// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "runtime/loop/loop_load.h"
#include "runtime/match/match_id.h"

namespace sweepd::runtime {

/// A loop, as the choice of moves sees it.
struct LoopView {
  LoadReading load;
  double arrived_ratio = 0;  ///< What has moved here and is not in the reading yet.

  double busy_ratio() const { return load.busy_ratio + arrived_ratio; }
};

/// What a match takes of its loop.
struct MatchCost {
  MatchId id;
  double busy_ratio = 0;    ///< Share of the time that its ticks take; 0: they are not measured.
  bool is_resting = false;  ///< It has moved less than kMoveRest ago.
};

struct MoveChoice {
  MatchCost match;
  std::size_t to = 0;
};

/// The gap between two loops' busy ratios below which nothing moves: less is noise, or comes back.
inline constexpr double kMoveGap = 0.2;
/// By so much the busier of the two has to come down, from the one's ratio to that of the busier one then;
/// and so much room the move has to leave below what makes a loop overloaded.
inline constexpr double kMoveMargin = 0.1;
/// Moving a match that takes less relieves no loop.
inline constexpr double kMoveCostMin = 0.001;
inline constexpr Duration kMoveRest = std::chrono::seconds(10);

/// The match of the loop `from` that should move, to the least loaded loop: the one that leaves the busier of
/// the two with least to do. Nothing, unless `from` is overloaded and the move makes things clearly better:
/// one that is too large for the gap stays where it is, and the small ones beside it go. Of equals the first.
std::optional<MoveChoice> choose_move(std::size_t from, std::span<const LoopView> loops,
                                      std::span<const MatchCost> matches, const LoadLimits& limits);

/// What has moved to which loop, until the loop's readings know of it: else every choice would be the same
/// loop, second after second.
class ArrivalLedger {
 public:
  explicit ArrivalLedger(std::size_t loops) : arrivals_(loops) {}

  void add(std::size_t loop, double busy_ratio, const LoadReading& load);
  /// The loops as their readings and this show them.
  std::vector<LoopView> view(std::span<const LoadReading> loads);

 private:
  struct Arrival {
    double busy_ratio = 0;
    std::uint64_t windows = 0;  ///< Of the loop's reading then.
  };
  std::vector<std::deque<Arrival>> arrivals_;
};

}  // namespace sweepd::runtime
