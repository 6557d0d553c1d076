// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <type_traits>

#include "collision/tick_budget.h"
#include "match/field.h"

namespace sweepd::match {

/// What a match may take in all; what is absent has no limit. Objects, parts and selections beyond their
/// budgets are refused. A tick that exceeds one of the others is the match's last: it tells MATCH_ENDED exits
/// only, the same ones in a replay and with every broadphase.
struct Budgets {
  std::optional<std::uint32_t> objects_max = {};  ///< Of all participants together, as are all of these.
  std::optional<std::uint32_t> parts_max = {};
  std::optional<std::uint32_t> overlapping_pairs_max = {};  ///< Of parts whose bounds overlap, after a tick.
  std::optional<std::uint32_t> tests_per_tick_max = {};     ///< See collision::TestMeter, Lookout.
  std::optional<std::uint32_t> events_per_tick_max = {};    ///< Encounters that begin or end.
  std::optional<std::uint32_t> selected_objects_max = {};   ///< Objects that selections of one participant
                                                           ///< look at in a tick; of all, four times as many.
  /// Bit by row: a server's default stands there, for the config's creator gave none. No setting of a match.
  std::uint32_t filled_in = 0;
  friend bool operator==(const Budgets&, const Budgets&) = default;
};

inline constexpr Range kBudgetRange{1, 1'000'000'000};
/// How many participants may use up their budgets of selections in one tick.
inline constexpr std::uint32_t kSelectingParticipants = 4;

constexpr void for_each_field(std::type_identity<Budgets>, const auto& visit) {
  visit(SWEEPD_FIELD(Budgets, objects_max).in(kBudgetRange));
  visit(SWEEPD_FIELD(Budgets, parts_max).in(kBudgetRange));
  visit(SWEEPD_FIELD(Budgets, overlapping_pairs_max).in(kBudgetRange));
  visit(SWEEPD_FIELD(Budgets, tests_per_tick_max).in(kBudgetRange));
  visit(SWEEPD_FIELD(Budgets, events_per_tick_max).in(kBudgetRange));
  visit(SWEEPD_FIELD(Budgets, selected_objects_max).in(kBudgetRange));
}

collision::TickBudget tick_budget_of(const Budgets& budgets);

}  // namespace sweepd::match
