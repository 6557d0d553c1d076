// SPDX-License-Identifier: MIT
#include "runtime/feed/world/sight_scan.h"

#include <algorithm>

#include "match/budgets_config.h"

namespace sweepd::runtime {

void PlayerEyes::look_up() {
  match::SeatBits players = 0;
  for (match::ParticipantNumber number = 0; number < roles_.size(); ++number)
    if (roles_[number] == match::Role::kPlayer) players |= match::seat_bit(number);
  const auto position_of = [&match = match_](match::ParticipantNumber, match::ObjectId id) {
    const auto object = match.find_object(id);
    return object ? std::optional(object->position) : std::nullopt;
  };
  lookout_.emplace(match_, rules_, match::Role::kPlayer, players, position_of,
                   tick_budget_of(match_.config().budgets).tests_max);
}

match::SeatBits PlayerEyes::seats_that_see(const match::Sighted& object) {
  if (!lookout_) look_up();
  return lookout_->seats_that_see(object);
}

bool SightScan::sees(const ModelObject& object, std::span<const collision::Part> parts,
                     collision::Point position) {
  if (viewer_.owns(object.owner)) return true;
  match::Sighted sighted{.owner = object.owner, .position = position};
  if (object.owner < eyes_.roles().size()) sighted.owner_role = eyes_.roles()[object.owner];
  return std::ranges::all_of(parts, [&](const collision::Part& part) {
    if (eyes_.rules().sees_all_of(viewer_.role, part.layer)) return true;
    if (viewer_.role != match::Role::kPlayer) return false;
    sighted.layer = part.layer;
    return (eyes_.seats_that_see(sighted) & bits_) != 0;
  });
}

}  // namespace sweepd::runtime
