// SPDX-License-Identifier: MIT
#include "collision/queries.h"

#include <algorithm>

#include "base/wide.h"
#include "collision/contact.h"
#include "collision/shapes/bit_mask.h"

namespace sweepd::collision {
namespace {

Box around(Point point, std::int64_t reach) {
  return {clamp_subunits(point.x - reach), clamp_subunits(point.y - reach), clamp_subunits(point.x + reach),
          clamp_subunits(point.y + reach)};
}

/// On which side of the line through the ray a corner is: the sign.
base::Int128 side_of(const Ray& ray, std::int64_t x, std::int64_t y) {
  const base::Int128 way_x = std::int64_t{ray.to.x} - ray.from.x;
  const base::Int128 way_y = std::int64_t{ray.to.y} - ray.from.y;
  return way_x * (y - ray.from.y) - way_y * (x - ray.from.x);
}

/// Whether all corners are on one side: most boxes around a slanting ray are told from those it meets by
/// this, at a hundredth of what the exact test costs.
bool passes_by(const Ray& ray, const Box& box) {
  const base::Int128 sides[] = {side_of(ray, box.min_x, box.min_y), side_of(ray, box.max_x, box.min_y),
                                side_of(ray, box.min_x, box.max_y), side_of(ray, box.max_x, box.max_y)};
  return std::ranges::all_of(sides, [](base::Int128 side) { return side > 0; }) ||
         std::ranges::all_of(sides, [](base::Int128 side) { return side < 0; });
}

}  // namespace

Box bounds_of(const Ray& ray) {
  return {std::min(ray.from.x, ray.to.x), std::min(ray.from.y, ray.to.y), std::max(ray.from.x, ray.to.x),
          std::max(ray.from.y, ray.to.y)};
}

bool take_test(const Shape& shape, TestMeter* meter) {
  return meter == nullptr || meter->take(1 + (shape.mask == nullptr ? 0 : shape.mask->run_count()));
}

std::optional<std::uint32_t> steps_until(const Ray& ray, const Shape& shape) {
  if (passes_by(ray, shape.box)) return std::nullopt;
  const Shape point{.box = {ray.from.x, ray.from.y, ray.from.x, ray.from.y}};
  const Way way{std::int64_t{ray.to.x} - ray.from.x, std::int64_t{ray.to.y} - ray.from.y};
  return first_touch(point, way, shape, {}, kRaySteps);
}

/// What the broadphase knows of an object that has changed since is out of date: these are looked at one by
/// one.
std::vector<PartHandle> Queries::candidates(const Box& region, std::uint64_t layers) const {
  std::vector<PartHandle> parts;
  broadphase_.find(region, layers, parts);
  std::erase_if(parts,
                [this](PartHandle part) { return objects_[objects_.parts().owner(part).object].is_changed; });
  append_changed(region, layers, parts);
  return parts;
}

void Queries::append_changed(const Box& region, std::uint64_t layers, std::vector<PartHandle>& parts) const {
  for (const ObjectSlot slot : objects_.changed()) {
    const Object& object = objects_[slot];
    if (!object.is_alive || object.is_disabled) continue;
    for (std::uint32_t i = 0; i < object.part_count; ++i) {
      const PartHandle handle = object.first_part + i;
      const Part& part = objects_.parts()[handle];
      const bool is_asked_for = (layers >> part.layer & 1) != 0;
      if (is_asked_for && overlap(placed(part.box, object.position), region)) parts.push_back(handle);
    }
  }
}

PartName Queries::name_of(PartHandle part) const {
  const PartOwner owner = objects_.parts().owner(part);
  return {objects_[owner.object].id, static_cast<std::uint8_t>(owner.part)};
}

std::vector<PartName> Queries::in_region(const Box& region, std::uint64_t layers, TestMeter* meter) const {
  if (is_inverted(region)) return {};
  const Shape box{.box = region};
  std::vector<PartName> names;
  for (const PartHandle part : candidates(region, layers)) {
    const Shape shape = shape_of(part, objects_, masks_);
    if (!take_test(shape, meter)) break;
    if (touch(shape, box)) names.push_back(name_of(part));
  }
  std::ranges::sort(names);
  return names;
}

bool Queries::has_selectable(const Object& object, const Box& region, std::uint64_t layers) const {
  const Shape box{.box = region};
  for (PartHandle part = object.first_part; part < object.first_part + object.part_count; ++part) {
    const bool is_asked_for = (layers >> objects_.parts()[part].layer & 1) != 0;
    if (is_asked_for && touch(shape_of(part, objects_, masks_), box)) return true;
  }
  return false;
}

// Objects are walked as they lie in memory: selections mostly mean all objects of their owner, and ids come
// nearly sorted.
std::vector<ObjectId> Queries::objects_in(const Box& region, std::uint64_t layers,
                                          const Selectable& which) const {
  if (is_inverted(region)) return {};
  std::vector<ObjectId> ids;
  for (const Object& object : objects_.slots()) {
    if (!object.is_alive || object.is_disabled) continue;
    const std::uint64_t selectable = object.owner == which.owner ? layers : layers & which.layers;
    if (selectable != 0 && has_selectable(object, region, selectable)) ids.push_back(object.id);
  }
  if (!std::ranges::is_sorted(ids)) std::ranges::sort(ids);
  return ids;
}

std::vector<ObjectId> Queries::objects_on(std::uint64_t layers) const {
  const auto is_asked_for = [&](const Part& part) { return (layers >> part.layer & 1) != 0; };
  std::vector<ObjectId> ids;
  for (const Object& object : objects_.slots()) {
    if (object.is_alive && std::ranges::any_of(objects_.parts_of(object), is_asked_for))
      ids.push_back(object.id);
  }
  std::ranges::sort(ids);
  return ids;
}

std::vector<RayHit> Queries::all_hits(const Ray& ray, std::uint64_t layers, TestMeter* meter) const {
  std::vector<RayHit> hits;
  for (const PartHandle part : candidates(bounds_of(ray), layers)) {
    const Shape shape = shape_of(part, objects_, masks_);
    if (!take_test(shape, meter)) break;
    const auto steps = steps_until(ray, shape);
    if (steps) hits.push_back({*steps, name_of(part)});
  }
  std::ranges::sort(hits);
  return hits;
}

std::optional<RayHit> Queries::first_hit(const Ray& ray, std::uint64_t layers) const {
  const std::vector<RayHit> hits = all_hits(ray, layers);
  if (hits.empty()) return std::nullopt;
  return hits.front();
}

std::optional<NearPart> Queries::nearest_of(std::span<const PartHandle> parts, Point point,
                                            TestMeter* meter) const {
  std::optional<NearPart> nearest;
  for (const PartHandle part : parts) {
    const Shape shape = shape_of(part, objects_, masks_);
    if (!take_test(shape, meter)) break;
    const NearPart found{distance(shape, point), name_of(part)};
    if (found.distance != kNowhere && (!nearest || found < *nearest)) nearest = found;
  }
  return nearest;
}

/// Looks around in ever larger squares. What is not in one is farther away than its half side, so what is
/// found no farther than that is the nearest.
std::optional<NearPart> Queries::nearest(Point point, std::uint64_t layers, TestMeter* meter) const {
  constexpr std::int64_t kFirstReach = 1 << 12;
  constexpr std::int64_t kLastReach = std::int64_t{1} << 32;  // From one end of the range to the other.
  for (std::int64_t reach = kFirstReach;; reach *= 2) {
    const auto found = nearest_of(candidates(around(point, reach), layers), point, meter);
    if (reach >= kLastReach || (meter != nullptr && meter->is_exceeded())) return found;
    if (found && found->distance <= static_cast<std::uint64_t>(reach)) return found;
  }
}

}  // namespace sweepd::collision
