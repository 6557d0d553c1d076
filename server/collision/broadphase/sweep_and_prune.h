// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <vector>

#include "collision/broadphase/broadphase.h"
#include "collision/broadphase/change_finder.h"
#include "collision/broadphase/layer_boxes.h"
#include "collision/broadphase/overlap_finder.h"
#include "collision/broadphase/slot_pairs.h"
#include "collision/broadphase/sweep_tuning.h"

namespace sweepd::collision {

/// Sweep and prune, layer pair by layer pair. What the matrix forbids is never looked at, nor are layers of which
/// nothing changed. For each layer pair and tick the cheapest of these is taken, and all are right on any input:
/// - few changed: these are compared, where they were and where they are, with the other layer (`compare_changed`);
/// - most moved alike, so that standing pairs stand: the same with those that moved otherwise;
/// - else all overlaps are found anew and compared with those of the last update (`compare_all`): by a scan where one
///   layer is small, by sweeping an order of cells where both are large.
class SweepAndPrune final : public Broadphase {
 public:
  explicit SweepAndPrune(const CollisionMatrix& matrix, const SweepTuning& tuning = {});

  void update(const PartChanges& parts, OverlapChanges& overlaps) override;
  void find(const Box& region, std::uint64_t layers, std::vector<PartHandle>& found) const override;
  void validate() const override;

 private:
  using Slot = LayerBoxes::Slot;
  using Boxes = std::span<const PackedBox>;
  using Slots = std::span<const Slot>;

  struct Place {
    static constexpr LayerId kNowhere = 255;
    Slot slot = 0;
    LayerId layer = kNowhere;
  };

  struct LayerPair {
    LayerId a = 0;
    LayerId b = 0;
    SlotPairs standing;  ///< Overlaps as of the last update, while they are known.
    bool is_standing_known = true;
    std::int64_t standing_count = 0;
    bool is_same() const { return a == b; }
  };

  void apply(const PartChanges& parts);
  void move(std::span<const PartChanges::Moved> moved);
  void update_pair(LayerPair& pair, OverlapChanges& overlaps);
  bool have_few_changed(const LayerPair& pair) const;
  bool have_most_moved_alike(const LayerPair& pair);
  void compare_all(LayerPair& pair, OverlapChanges& overlaps);
  void compare_changed(LayerPair& pair, OverlapChanges& overlaps);
  void compare_others(LayerPair& pair, OverlapChanges& overlaps);
  void compare_sides(LayerPair& pair, const ChangeFinder::Side& a, const ChangeFinder::Side& b,
                     OverlapChanges& overlaps);
  void report(LayerPair& pair, const SlotPairs& began, const SlotPairs& ended, OverlapChanges& overlaps) const;

  SweepTuning tuning_;
  std::vector<Place> places_;  // By handle.
  std::array<LayerBoxes, kLayersMax> layers_;
  std::vector<StandingOrder> standing_orders_;  // By layer.
  std::vector<LayerPair> pairs_;  // That the matrix allows.
  OverlapFinder finder_;
  ChangeFinder change_finder_;

  // Kept for their memory only.
  SlotPairs overlapping_;
  SlotPairs began_;
  SlotPairs ended_;
  std::vector<Slot> others_a_;
  std::vector<Slot> others_b_;
};

}  // namespace sweepd::collision
