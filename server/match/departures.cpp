// SPDX-License-Identifier: MIT
#include "match/departures.h"

#include "base/assert.h"

namespace sweepd::match {

void Departures::apply() {
  for (const Seats::Departure& departure : state_.seats.departures()) {
    const ParticipantNumber number = departure.participant.number;
    state_.digest.add_departure(number);
    hand_stage_over(departure.participant);
    for (const ObjectId object : state_.world.objects_of(number)) {
      state_.owners.remove(object);
      const collision::ChangeResult result = state_.world.despawn(object, collision::ExitReason::kOwnerLeft);
      SWEEPD_ASSERT(result.ok());
    }
  }
  state_.seats.clear_departures();
}

/// Limits on how many objects the successor may have do not hold here: the bullets in the air have to go on.
void Departures::hand_stage_over(const Participant& leaver) {
  if (!leaver.acts_as_stage || config_.stage_handover != StageHandover::kLowestNumber) return;
  Seat* successor = stage_successor();
  if (successor == nullptr) return;
  const ParticipantNumber number = successor->participant.number;
  state_.digest.add_handover(number);
  successor->participant.acts_as_stage = true;
  OwnerChange& change = state_.facts.owner_changes.emplace_back();
  change = {.from = leaver.number, .to = number, .with_stage = true};
  for (const ObjectId object : state_.world.objects_of(leaver.number)) {
    // A player's own, its ship above all, go with it; what it was given goes on.
    if (leaver.role == Role::kPlayer && leaver.has_in_block(object)) continue;
    state_.owners.transfer(object, number);
    state_.world.set_owner(object, number);
    change.objects.push_back(object);
  }
}

/// Of the others, players only: a stage that has given its part away wants it no more.
Seat* Departures::stage_successor() {
  Seat* successor = nullptr;
  for (auto& [number, seat] : state_.seats.by_number()) {
    if (!seat.is_expected_to_play()) continue;
    if (seat.participant.acts_as_stage) return &seat;
    if (successor == nullptr && seat.participant.role == Role::kPlayer) successor = &seat;
  }
  return successor;
}

}  // namespace sweepd::match
