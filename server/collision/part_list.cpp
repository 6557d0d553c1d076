// SPDX-License-Identifier: MIT
#include "collision/part_list.h"

#include <algorithm>

namespace sweepd::collision {
namespace {

bool is_on(const ListedPart& part, std::uint64_t layers) { return (layers >> part.layer & 1) != 0; }

}  // namespace

std::vector<PartName> PartList::in_region(const Box& region, std::uint64_t layers, TestMeter* meter) const {
  if (is_inverted(region)) return {};
  const Shape box{.box = region};
  std::vector<PartName> names;
  for (const ListedPart& part : parts_) {
    if (!is_on(part, layers) || !overlap(part.shape.box, region)) continue;
    if (!take_test(part.shape, meter)) break;
    if (touch(part.shape, box)) names.push_back(part.name);
  }
  std::ranges::sort(names);
  return names;
}

std::vector<RayHit> PartList::all_hits(const Ray& ray, std::uint64_t layers, TestMeter* meter) const {
  const Box bounds = bounds_of(ray);
  std::vector<RayHit> hits;
  for (const ListedPart& part : parts_) {
    if (!is_on(part, layers) || !overlap(part.shape.box, bounds)) continue;
    if (!take_test(part.shape, meter)) break;
    if (const auto steps = steps_until(ray, part.shape)) hits.push_back({*steps, part.name});
  }
  std::ranges::sort(hits);
  return hits;
}

std::optional<NearPart> PartList::nearest(Point point, std::uint64_t layers, TestMeter* meter) const {
  std::optional<NearPart> nearest;
  for (const ListedPart& part : parts_) {
    if (!is_on(part, layers)) continue;
    if (!take_test(part.shape, meter)) break;
    const NearPart found{distance(part.shape, point), part.name};
    if (found.distance != kNowhere && (!nearest || found < *nearest)) nearest = found;
  }
  return nearest;
}

}  // namespace sweepd::collision
