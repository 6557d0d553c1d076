// SPDX-License-Identifier: MIT
#include "match/history/past_ticks.h"

#include <algorithm>
#include <utility>

namespace sweepd::match {
namespace {

PastObject present_object(const collision::ObjectView& view) {
  return {.id = view.id,
          .owner = view.owner,
          .trajectory = {view.position, view.is_frozen ? collision::Motion{} : view.motion},
          .is_disabled = view.disabled_until != 0,
          .parts = view.parts};
}

PastWorld present_world(const collision::World& world, const ObjectPage& page) {
  std::vector<ObjectId> ids = world.ids();
  page.cut(ids);
  std::vector<PastObject> objects;
  objects.reserve(ids.size());
  for (const ObjectId id : ids) objects.push_back(present_object(*world.find(id)));
  return {std::move(objects), world.masks()};
}

}  // namespace

PastWorld world_at(const collision::World& world, const History* history, Tick tick, const ObjectPage& page) {
  if (tick == world.tick()) return present_world(world, page);
  return {history->objects(tick, page), world.masks()};
}

std::optional<PastObject> find_object_at(const collision::World& world, const History* history, ObjectId id,
                                         Tick tick) {
  if (tick != world.tick()) return history->find(id, tick);
  const auto view = world.find(id);
  return view ? std::optional(present_object(*view)) : std::nullopt;
}

std::vector<collision::Encounter> encounters_at(const collision::World& world, const History* history,
                                                Tick tick, const collision::EncounterPage& page) {
  if (tick == world.tick()) return world.queries().encounters(page);
  std::vector<collision::Encounter> encounters = world.queries().encounters({page.after, page.object});
  std::erase_if(encounters, [tick](const auto& encounter) { return encounter.since_tick > tick; });
  for (const auto& [key, since_tick] : history->ended_encounters(tick)) {
    if (page.has(key)) encounters.push_back({.key = key, .parts = {}, .since_tick = since_tick});
  }
  page.cut(encounters);
  const PastWorld past = world_at(world, history, tick, {});
  std::erase_if(encounters, [&past](collision::Encounter& encounter) {
    const auto parts = past.lowest_pair(encounter.key);
    if (parts) encounter.parts = *parts;
    return !parts;  // Only in a snapshot that was made up.
  });
  return encounters;
}

}  // namespace sweepd::match
