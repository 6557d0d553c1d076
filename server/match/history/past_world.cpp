// SPDX-License-Identifier: MIT
#include "match/history/past_world.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace sweepd::match {

PastWorld::PastWorld(std::vector<PastObject> objects, std::span<const collision::BitMask> masks)
    : objects_(std::move(objects)), masks_(masks) {
  for (const PastObject& object : objects_) {
    if (object.is_disabled) continue;
    for (std::size_t i = 0; i < object.parts.size(); ++i) {
      const collision::Part& part = object.parts[i];
      parts_.add({.name = {object.id, static_cast<std::uint8_t>(i)},
                  .layer = part.layer,
                  .shape = place(part, object.trajectory.position, masks_)});
    }
  }
}

PastWorld PastWorld::only(const std::function<bool(const PastObject&)>& passes) const {
  std::vector<PastObject> passing;
  std::ranges::copy_if(objects_, std::back_inserter(passing), passes);
  return {std::move(passing), masks_};
}

const PastObject* PastWorld::find(ObjectId id) const {
  const auto found = std::ranges::lower_bound(objects_, id, {}, &PastObject::id);
  return found != objects_.end() && found->id == id ? &*found : nullptr;
}

std::optional<collision::PartPair> PastWorld::lowest_pair(const collision::EncounterKey& key) const {
  const PastObject* a = find(key.object_a);
  const PastObject* b = find(key.object_b);
  if (a == nullptr || b == nullptr) return std::nullopt;
  for (std::size_t i = 0; i < a->parts.size(); ++i) {
    if (a->parts[i].layer != key.layer_a) continue;
    const collision::Shape shape = place(a->parts[i], a->trajectory.position, masks_);
    for (std::size_t j = 0; j < b->parts.size(); ++j) {
      if (b->parts[j].layer != key.layer_b) continue;
      if (!touch(shape, place(b->parts[j], b->trajectory.position, masks_))) continue;
      return collision::PartPair{static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(j)};
    }
  }
  return std::nullopt;
}

}  // namespace sweepd::match
