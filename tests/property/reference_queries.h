// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "collision/queries.h"
#include "property/reference_world.h"

namespace sweepd::property {

/// The answers to queries, by looking at every part of the reference world.
class ReferenceQueries {
 public:
  ReferenceQueries(const ReferenceWorld& world, const std::vector<collision::BitMask>& masks)
      : world_(world), masks_(masks) {}

  std::vector<collision::PartName> in_region(const collision::Box& region, std::uint64_t layers) const;
  std::vector<collision::RayHit> all_hits(const collision::Ray& ray, std::uint64_t layers) const;
  std::optional<collision::NearPart> nearest(collision::Point point, std::uint64_t layers) const;
  std::vector<collision::Encounter> encounters_of(collision::ObjectId id) const;

 private:
  template <typename Visit>
  void for_each_part(std::uint64_t layers, Visit visit) const;

  const ReferenceWorld& world_;
  const std::vector<collision::BitMask>& masks_;
};

}  // namespace sweepd::property
