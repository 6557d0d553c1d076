// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <initializer_list>

#include "match/config.h"

namespace sweepd::match {

/// What a server gives to any match at most, and to one whose config does not say how much it needs. The
/// defaults bound a hostile tick to some milliseconds: matches of a loop are late by that much.
struct BudgetMaxima {
  std::uint32_t objects_max = 6'144;
  std::uint32_t parts_max = 8'192;
  std::uint32_t overlapping_pairs_max = 16'384;
  std::uint32_t tests_per_tick_max = 196'608;
  std::uint32_t events_per_tick_max = 8'192;
  std::uint32_t selected_objects_max = 24'576;
  std::uint32_t mask_bytes_max = 524'288;                      ///< Of all rows of all masks.
  std::uint64_t history_bytes_max = std::uint64_t{256} << 20;  ///< Of positions, at kHistoryBytesPerObject.
  /// Bit i: the broadphase of that number is offered.
  std::uint32_t broadphases = ~std::uint32_t{0};

  bool offers(collision::BroadphaseKind kind) const {
    return (broadphases >> static_cast<std::uint32_t>(kind) & 1) != 0;
  }
};

/// About what the history takes for an object and tick, where frames move it.
inline constexpr std::uint64_t kHistoryBytesPerObject = 10;

/// How many parts a match with this broadphase has at most, on every server: those that compare
/// everything with everything in the worst case get so few that this takes some milliseconds.
std::uint32_t parts_max_of(collision::BroadphaseKind kind);

/// Without those that fill_budgets() filled in: as the config's creator wrote them.
Budgets given_budgets(const Budgets& budgets);

/// Gives the config the budgets that it does not have, and marks them. The first field that asks for more
/// than the maxima, or nothing. The config must be without error.
Found fill_budgets(const BudgetMaxima& maxima, MatchConfig& config);

}  // namespace sweepd::match
