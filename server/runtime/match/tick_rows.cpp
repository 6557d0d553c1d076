// SPDX-License-Identifier: MIT
#include "runtime/match/tick_rows.h"

#include <algorithm>
#include <limits>

namespace sweepd::runtime {
namespace {

std::uint64_t most_of(const match::Budgets& budgets) {
  if (!budgets.objects_max || !budgets.parts_max) return std::numeric_limits<std::uint64_t>::max();
  return std::max(std::uint64_t{*budgets.objects_max} + *budgets.parts_max, TickRows::kLeast);
}

}  // namespace

TickRows::TickRows(const match::MatchConfig& config) : most_(most_of(config.budgets)) {}

std::uint64_t& TickRows::OfTick::of(match::ParticipantNumber participant) {
  const auto it = std::ranges::find(of_each, participant, &decltype(of_each)::value_type::first);
  if (it != of_each.end()) return it->second;
  return of_each.emplace_back(participant, 0).second;
}

std::optional<std::uint64_t> TickRows::take(const Frame& frame, match::Tick next,
                                            const std::function<std::size_t()>& count_participants) {
  ticks_.erase(ticks_.begin(), ticks_.lower_bound(next));
  if (frame.rows == 0) return std::nullopt;
  OfTick& present = ticks_[frame.tick];
  std::uint64_t& own = present.of(frame.participant);
  const auto share = [&] { return most_ / std::max<std::size_t>(count_participants(), 1); };
  if (present.all + frame.rows > most_ && own + frame.rows > share()) return present.all + frame.rows;
  own += frame.rows;
  present.all += frame.rows;
  return std::nullopt;
}

}  // namespace sweepd::runtime
