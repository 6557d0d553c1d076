// SPDX-License-Identifier: MIT
#include "match/history/past_ticks.h"

#include <algorithm>
#include <utility>

namespace sweepd::match {
namespace {

PastWorld present_world(const collision::World& world) {
  std::vector<PastObject> objects;
  for (const ObjectId id : world.ids()) {
    const collision::ObjectView view = *world.find(id);
    objects.push_back({.id = id,
                       .owner = view.owner,
                       .course = {view.position, view.is_frozen ? collision::Motion{} : view.motion},
                       .is_disabled = view.disabled_until != 0,
                       .parts = view.parts});
  }
  return {std::move(objects), world.masks()};
}

}  // namespace

PastWorld world_at(const collision::World& world, const History* history, Tick tick) {
  if (tick == world.tick()) return present_world(world);
  return {history->objects(tick), world.masks()};
}

std::vector<collision::Encounter> encounters_at(const collision::World& world, const History* history,
                                                Tick tick) {
  std::vector<collision::Encounter> encounters = world.open_encounters();
  if (tick == world.tick()) return encounters;
  std::erase_if(encounters, [tick](const auto& encounter) { return encounter.since_tick > tick; });
  for (const auto& [key, since_tick] : history->ended_encounters(tick)) {
    encounters.push_back({.key = key, .parts = {}, .since_tick = since_tick});
  }
  std::ranges::sort(encounters, {}, &collision::Encounter::key);
  const PastWorld past = world_at(world, history, tick);
  std::vector<collision::Encounter> known;
  for (collision::Encounter& encounter : encounters) {
    const auto parts = past.lowest_pair(encounter.key);
    if (!parts) continue;  // Only where somebody has made a snapshot up.
    encounter.parts = *parts;
    known.push_back(encounter);
  }
  return known;
}

}  // namespace sweepd::match
