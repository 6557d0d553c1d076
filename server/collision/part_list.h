// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "collision/queries.h"
#include "collision/shapes/shape.h"

namespace sweepd::collision {

/// A part of an object where it lies, or lay.
struct ListedPart {
  PartName name;
  LayerId layer = 0;
  Shape shape;
};

/// The questions of Queries, with the same answers, to parts that no broadphase knows: all are looked at.
class PartList {
 public:
  void add(const ListedPart& part) { parts_.push_back(part); }

  std::vector<PartName> in_region(const Box& region, std::uint64_t layers, TestMeter* meter = nullptr) const;
  std::vector<RayHit> all_hits(const Ray& ray, std::uint64_t layers, TestMeter* meter = nullptr) const;
  std::optional<NearPart> nearest(Point point, std::uint64_t layers, TestMeter* meter = nullptr) const;

 private:
  std::vector<ListedPart> parts_;
};

}  // namespace sweepd::collision
