// SPDX-License-Identifier: MIT
#include "property/history/past_worlds.h"

namespace sweepd::property {

namespace {

Answers ask(RandomWorld& random_world) {
  const collision::Point a = random_world.random_point();
  const collision::Point b = random_world.random_point();
  Answers answers{.region = {std::min(a.x, b.x), std::min(a.y, b.y), std::max(a.x, b.x), std::max(a.y, b.y)},
                  .ray = {a, b},
                  .layers = random_world.random().chance(50) ? ~std::uint64_t{0} : 0b101};
  const collision::Queries queries = random_world.world().queries();
  answers.in_region = queries.in_region(answers.region, answers.layers);
  answers.hits = queries.all_hits(answers.ray, answers.layers);
  answers.nearest = queries.nearest(answers.ray.from, answers.layers);
  return answers;
}

}  // namespace

void PastWorlds::copy(RandomWorld& random_world) {
  const collision::World& world = random_world.world();
  WorldCopy& copy = copies_[world.tick()];
  for (const collision::ObjectId id : random_world.ids()) {
    const collision::ObjectView view = *world.find(id);
    copy.objects[id] = {view.owner,
                        view.position,
                        view.is_frozen ? collision::Motion{} : view.motion,
                        {view.parts.begin(), view.parts.end()},
                        view.disabled_until != 0,
                        random_world.born(id),
                        random_world.teleported(id)};
  }
  copy.encounters = world.open_encounters();
  copy.answers = ask(random_world);
}

}  // namespace sweepd::property
