// SPDX-License-Identifier: MIT
#include <algorithm>

#include "scenes/scene.h"

namespace sweepd::scenes {
namespace {

void enclose(collision::Box& bounds, const collision::Box& box) {
  bounds.min_x = std::min(bounds.min_x, box.min_x);
  bounds.min_y = std::min(bounds.min_y, box.min_y);
  bounds.max_x = std::max(bounds.max_x, box.max_x);
  bounds.max_y = std::max(bounds.max_y, box.max_y);
}

}  // namespace

Recording record(std::string_view name, std::uint32_t ticks) {
  Scene scene = make_scene(name);
  Recording recording{std::string(name), scene.matrix, {}, {}, 0};
  recording.ticks.resize(ticks);
  for (collision::PartChanges& changes : recording.ticks) scene.stage.next(changes);
  recording.bounds = recording.ticks.front().added.front().box;
  for (const collision::PartChanges& changes : recording.ticks) {
    for (const auto& added : changes.added) {
      enclose(recording.bounds, added.box);
      recording.parts_max = std::max(recording.parts_max, added.part + 1);
    }
    for (const auto& moved : changes.moved) enclose(recording.bounds, moved.box);
  }
  return recording;
}

}  // namespace sweepd::scenes
