// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "collision/part_list.h"
#include "match/history/history.h"

namespace sweepd::match {

/// A world as it was at the end of a tick, laid out to be asked about: the questions of collision::Queries,
/// with the answers that they had then. Costs as much as there are objects to make, and as much again to ask.
/// Valid until the next change to the match that it is from.
class PastWorld {
 public:
  /// `objects`: by id.
  PastWorld(std::vector<PastObject> objects, std::span<const collision::BitMask> masks);

  std::span<const PastObject> objects() const& { return objects_; }  ///< By id; the disabled, too.
  std::span<const PastObject> objects() const&& = delete;            // They go with it.

  /// Null: there is none.
  const PastObject* find(ObjectId id) const;

  /// Of these objects those that pass.
  PastWorld only(const std::function<bool(const PastObject&)>& passes) const;

  // Disabled objects are nowhere.
  std::vector<collision::PartName> in_region(const collision::Box& region, std::uint64_t layers,
                                             collision::TestMeter* meter = nullptr) const {
    return parts_.in_region(region, layers, meter);
  }
  std::vector<collision::RayHit> all_hits(const collision::Ray& ray, std::uint64_t layers,
                                          collision::TestMeter* meter = nullptr) const {
    return parts_.all_hits(ray, layers, meter);
  }
  std::optional<collision::NearPart> nearest(collision::Point point, std::uint64_t layers,
                                             collision::TestMeter* meter = nullptr) const {
    return parts_.nearest(point, layers, meter);
  }

  /// The lowest parts that touched, of two objects that did on the layers of the encounter.
  std::optional<collision::PartPair> lowest_pair(const collision::EncounterKey& key) const;

 private:
  std::vector<PastObject> objects_;
  std::span<const collision::BitMask> masks_;
  collision::PartList parts_;
};

}  // namespace sweepd::match
