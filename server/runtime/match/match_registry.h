// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "runtime/budgets/budgets.h"
#include "runtime/loop/loop_load.h"
#include "runtime/loop/move_choice.h"
#include "runtime/match/match_id.h"

namespace sweepd::runtime {

/// Where a match lives.
struct MatchPlace {
  MatchId id;
  std::size_t loop = 0;
};

/// Which match lives on which loop: the one thing that all loops share. Asked when a match is created, found
/// or listed, never per frame or tick. Thread-safe.
class MatchRegistry {
 public:
  /// At most `matches_max` at once: a further one is refused.
  MatchRegistry(std::size_t loops, std::size_t matches_max);

  /// A new id on the least loaded loop; nothing if there are too many. `loads`: of each loop; empty: not
  /// known, so it is the one that has the fewest.
  /// `estimate`: the share of its loop that the match will take, until the loop has measured it. `share`: of
  /// the budget of its creator, until the match is removed.
  std::optional<MatchPlace> add(std::span<const LoadReading> loads = {}, double estimate = 0,
                                Budgets::Share share = {});

  /// The loads with the estimates of the matches that came so lately that no reading has them: or a burst of
  /// them would all be let in before the first is measured.
  std::vector<LoadReading> with_estimates(std::vector<LoadReading> loads, const LoadLimits& limits);

  /// The place of a match that has come back, on the loop that has the fewest: however many matches there
  /// are, and however much the loops have to do.
  MatchPlace add(const MatchId& id, Budgets::Share share = {});

  void remove(const MatchId& id);

  /// It lives on another loop from now on.
  void move(const MatchId& id, std::size_t loop);

  /// The loop of a match.
  std::optional<std::size_t> find(const MatchId& id) const;

  /// At most `limit` matches by id, those after `after`.
  std::vector<MatchPlace> list(const MatchId& after, std::size_t limit) const;

  std::size_t size() const;
  std::size_t matches_max() const { return matches_max_; }

 private:
  struct Entry {
    std::size_t loop = 0;
    Budgets::Share share;
  };
  MatchPlace put(const MatchId& id, std::span<const LoadReading> loads, Budgets::Share share);
  void forget_measured_matches(std::span<const LoadReading> loads);

  const std::size_t matches_max_;
  mutable std::mutex mutex_;
  std::map<MatchId, Entry> entries_;
  std::vector<std::size_t> matches_by_loop_;
  std::vector<std::size_t> new_matches_by_loop_;  ///< Those that came after the loop's last reading.
  std::vector<std::uint64_t> windows_by_loop_;    ///< Of those readings.
  ArrivalLedger estimates_;
};

}  // namespace sweepd::runtime
