// SPDX-License-Identifier: MIT
#include "property/reference_queries.h"

#include <algorithm>
#include <limits>

#include "collision/shapes/shape.h"

namespace sweepd::property {

using namespace collision;  // NOLINT: this file speaks of nothing else.

/// By object and part, ascending.
template <typename Visit>
void ReferenceQueries::for_each_part(std::uint64_t layers, Visit visit) const {
  for (const auto& [id, object] : world_.objects()) {
    if (object.disabled_until != 0) continue;
    for (std::size_t i = 0; i < object.spec.parts.size(); ++i) {
      const Part& part = object.spec.parts[i];
      if ((layers >> part.layer & 1) == 0) continue;
      visit(PartName{id, static_cast<std::uint8_t>(i)}, place(part, object.spec.position, masks_));
    }
  }
}

std::vector<PartName> ReferenceQueries::in_region(const Box& region, std::uint64_t layers) const {
  std::vector<PartName> names;
  for_each_part(layers, [&](PartName name, const Shape& shape) {
    if (!is_inverted(region) && touch(shape, Shape{.box = region})) names.push_back(name);
  });
  return names;
}

std::vector<RayHit> ReferenceQueries::all_hits(const Ray& ray, std::uint64_t layers) const {
  const Shape point{.box = {ray.from.x, ray.from.y, ray.from.x, ray.from.y}};
  const Way way{std::int64_t{ray.to.x} - ray.from.x, std::int64_t{ray.to.y} - ray.from.y};
  std::vector<RayHit> hits;
  for_each_part(layers, [&](PartName name, const Shape& shape) {
    if (const auto steps = first_touch(point, way, shape, {}, kRaySteps)) hits.push_back({*steps, name});
  });
  std::ranges::sort(hits);
  return hits;
}

std::optional<NearPart> ReferenceQueries::nearest(Point point, std::uint64_t layers) const {
  std::optional<NearPart> nearest;
  for_each_part(layers, [&](PartName name, const Shape& shape) {
    const NearPart found{distance(shape, point), name};
    if (found.distance == std::numeric_limits<std::uint64_t>::max()) return;
    if (!nearest || found < *nearest) nearest = found;
  });
  return nearest;
}

std::vector<Encounter> ReferenceQueries::encounters_of(ObjectId id) const {
  std::vector<Encounter> encounters = world_.open_encounters();
  std::erase_if(encounters, [id](const Encounter& encounter) {
    return encounter.key.object_a != id && encounter.key.object_b != id;
  });
  return encounters;
}

}  // namespace sweepd::property
