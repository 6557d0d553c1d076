// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <unordered_set>
#include <vector>

#include "collision/broadphase/broadphase.h"

namespace sweepd::reference {

/// Sweep and prune as the textbooks have it: the endpoints of all boxes in order along each axis, kept in
/// order by swapping neighbours, where a swap of one box's low end with another's high end begins or ends
/// their overlap on that axis. Simple, and another way to the same pairs: for comparison, in tests and
/// benchmarks. Invariant between updates: both axes are in order, and pairs_ are the pairs that overlap.
class EndpointSweep : public collision::Broadphase {
 public:
  explicit EndpointSweep(const collision::CollisionMatrix& matrix) : matrix_(matrix) {}

  /// All that overlaps: it is used without limits only.
  bool update(const collision::PartChanges& parts, collision::OverlapChanges& overlaps) override;
  collision::Box box_of(collision::PartHandle part) const override { return parts_[part].box; }
  void find(const collision::Box& region, std::uint64_t layers,
            std::vector<collision::PartHandle>& found) const override;
  void find_each(std::span<const collision::Box> regions, collision::LayerId layer,
                 std::vector<collision::RegionHit>& found,
                 std::size_t found_max = collision::kUnbounded) const override;
  void validate() const override;

 private:
  struct Placed {
    collision::Box box;
    std::uint32_t object = 0;
    collision::LayerId layer = 0;
    bool present = false;
  };
  struct Endpoint {
    collision::Subunits value = 0;
    collision::PartHandle part = 0;
    bool is_high = false;
    /// Low ends go before high ends of the same value: touching boxes overlap.
    bool is_before(const Endpoint& other) const {
      return value != other.value ? value < other.value : is_high < other.is_high;
    }
  };
  using Axis = std::vector<Endpoint>;

  void remove(const std::vector<collision::PartHandle>& parts, collision::OverlapChanges& overlaps);
  void add(const std::vector<collision::PartChanges::Added>& parts);
  void take_in_values();
  void sort_by_swaps(Axis& axis, collision::OverlapChanges& overlaps);
  void sort_and_sweep(collision::OverlapChanges& overlaps);
  void begin_if_overlapping(collision::PartHandle a, collision::PartHandle b,
                            collision::OverlapChanges& overlaps);
  void end_if_pair(collision::PartHandle a, collision::PartHandle b, collision::OverlapChanges& overlaps);
  bool is_pair(const Placed& a, const Placed& b) const;

  collision::CollisionMatrix matrix_;
  std::vector<Placed> parts_;  // By handle.
  std::array<Axis, 2> axes_;
  std::unordered_set<std::uint64_t> pairs_;
};

}  // namespace sweepd::reference
