// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "collision/broadphase/broadphase.h"
#include "collision/broadphase/change_finder.h"
#include "collision/broadphase/layer_boxes.h"
#include "collision/broadphase/slot_pairs.h"
#include "collision/broadphase/standing_order.h"
#include "collision/broadphase/sweep_tuning.h"
#include "collision/broadphase/window_fit.h"

namespace sweepd::collision {

/// Sweep and prune, layer pair by layer pair. What the matrix forbids is never looked at, nor are layers of
/// which nothing changed. For each layer pair and tick the cheapest of these is taken, and all are right on
/// any input:
/// - Few changed: these are compared with the other layer, where they were and where they are
///   (`compare_changed`).
/// - Most moved alike, so that standing pairs stand: the same with those that moved otherwise.
/// - Else all overlaps are found anew and compared with those of the last update (`compare_all`): by a scan
///   where one layer is small, by sweeping an order of cells where both are large.
class SweepAndPrune final : public Broadphase {
 public:
  explicit SweepAndPrune(const CollisionMatrix& matrix, const SweepTuning& tuning = {},
                         std::size_t pairs_max = kUnbounded);

  bool update(const PartChanges& parts, OverlapChanges& overlaps) override;
  Box box_of(PartHandle part) const override;
  void find(const Box& region, std::uint64_t layers, std::vector<PartHandle>& found) const override;
  void find_each(std::span<const Box> regions, LayerId layer, std::vector<RegionHit>& found,
                 std::size_t found_max = kUnbounded) const override;
  void validate() const override;

 private:
  using Slot = LayerBoxes::Slot;
  using Boxes = std::span<const PackedBox>;
  using Slots = std::span<const Slot>;

  /// Where a part's box is: small, as there is one for each.
  struct Place {
    static constexpr std::uint32_t kSlotBits = 26;
    static constexpr std::uint32_t kNoSlot = (1u << kSlotBits) - 1;

    std::uint32_t layer : 32 - kSlotBits = 0;
    std::uint32_t slot : kSlotBits = kNoSlot;
    bool is_anywhere() const { return slot != kNoSlot; }
  };
  static_assert(kLayersMax <= 1u << (32 - Place::kSlotBits));

  struct Layer {
    LayerBoxes boxes;
    std::unique_ptr<StandingOrder> standing;  ///< Where it has been of use.
  };

  struct LayerPair {
    LayerId a = 0;
    LayerId b = 0;
    WindowFit fit;
    SlotPairs standing;  ///< Overlaps as of the last update, while they are known.
    bool is_standing_known = true;
    std::int64_t standing_count = 0;
    bool is_same() const { return a == b; }
  };

  static void find_all(const LayerBoxes& layer, std::uint32_t region, std::vector<RegionHit>& found);
  void apply(const PartChanges& parts);
  void move(std::span<const PartChanges::Moved> moved);
  // False: more pairs overlap than may.
  bool update_pair(LayerPair& pair, OverlapChanges& overlaps);
  ChangeFinder::Side changed_side(LayerId layer, std::size_t other_changed_count);
  bool have_few_changed(const LayerPair& pair) const;
  bool have_most_moved_alike(const LayerPair& pair) const;
  std::size_t found_limit(const LayerPair& pair) const;
  bool compare_all(LayerPair& pair, OverlapChanges& overlaps);
  void find_all(LayerPair& pair, Boxes a, Boxes b, SlotPairs& found);
  bool compare_changed(LayerPair& pair, OverlapChanges& overlaps);
  bool compare_others(LayerPair& pair, OverlapChanges& overlaps);
  bool compare_sides(LayerPair& pair, const ChangeFinder::Side& a, const ChangeFinder::Side& b,
                     OverlapChanges& overlaps);
  void report(LayerPair& pair, OverlapChanges& overlaps) const;
  void append(const LayerPair& pair, const SlotPairs& slots, std::vector<OverlapPair>& list) const;

  SweepTuning tuning_;
  std::size_t pairs_max_;
  std::size_t pair_count_ = 0;    // Of parts that overlap, as of the last update.
  std::vector<Place> places_;     // By handle.
  std::vector<Layer> layers_;     // As many as have had parts.
  std::vector<LayerPair> pairs_;  // That the matrix allows.
};

}  // namespace sweepd::collision
