// SPDX-License-Identifier: MIT
#include "runtime/loop/move_choice.h"

#include <algorithm>

#include "base/assert.h"

namespace sweepd::runtime {
namespace {

// The one that fills when something arrives has it for a part of the time only.
constexpr std::uint64_t kWindowsUntilKnown = 2;

std::optional<std::size_t> least_busy(std::size_t from, std::span<const LoopView> loops) {
  std::optional<std::size_t> best;
  for (std::size_t loop = 0; loop < loops.size(); ++loop) {
    if (loop == from || loops[loop].load.is_overloaded) continue;
    if (!best || loops[loop].busy_ratio() < loops[*best].busy_ratio()) best = loop;
  }
  return best;
}

}  // namespace

std::optional<MoveChoice> choose_move(std::size_t from, std::span<const LoopView> loops,
                                      std::span<const MatchCost> matches, const LoadLimits& limits) {
  SWEEPD_ASSERT(from < loops.size());
  const auto to = least_busy(from, loops);
  if (!to || !loops[from].load.is_overloaded) return std::nullopt;
  const double source = loops[from].busy_ratio();
  const double target = loops[*to].busy_ratio();
  if (source - target < kMoveGap) return std::nullopt;
  const double target_max = std::min(source, limits.busy_percent_max / 100.0) - kMoveMargin;
  const auto is_possible = [&](const MatchCost& match) {
    return !match.is_resting && match.busy_ratio >= kMoveCostMin && target + match.busy_ratio <= target_max;
  };
  const auto busier_after = [&](const MatchCost& match) {
    return std::max(source - match.busy_ratio, target + match.busy_ratio);
  };
  const MatchCost* best = nullptr;
  for (const MatchCost& match : matches) {
    if (is_possible(match) && (best == nullptr || busier_after(match) < busier_after(*best))) best = &match;
  }
  if (best == nullptr) return std::nullopt;
  return MoveChoice{*best, *to};
}

void ArrivalLedger::add(std::size_t loop, double busy_ratio, const LoadReading& load) {
  arrivals_.at(loop).push_back({busy_ratio, load.windows});
}

std::vector<LoopView> ArrivalLedger::view(std::span<const LoadReading> loads) {
  SWEEPD_ASSERT(loads.size() == arrivals_.size());
  std::vector<LoopView> views;
  for (std::size_t loop = 0; loop < loads.size(); ++loop) {
    std::deque<Arrival>& arrivals = arrivals_[loop];
    LoopView& view = views.emplace_back(LoopView{.load = loads[loop]});
    while (!arrivals.empty() && arrivals.front().windows + kWindowsUntilKnown <= loads[loop].windows) {
      arrivals.pop_front();
    }
    for (const Arrival& arrival : arrivals) view.arrived_ratio += arrival.busy_ratio;
  }
  return views;
}

}  // namespace sweepd::runtime
