// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "collision/broadphase/cell_order.h"
#include "collision/broadphase/layer_boxes.h"
#include "collision/broadphase/window_fit.h"

namespace sweepd::collision {

/// A layer's boxes in an order of cells that is kept over updates while few of them change. Those that
/// changed since it was sorted are strays: they are to be looked at one by one. Once that has cost as much as
/// sorting again would, it is sorted again.
class StandingOrder {
 public:
  using Slots = std::span<const LayerBoxes::Slot>;

  /// To be called in every update, when all changes are known.
  void note_changes(const LayerBoxes& layer);

  /// Sorts if need be, to be ready to compare `changed_count` boxes with the layer.
  void prepare(const LayerBoxes& layer, std::size_t changed_count, std::vector<std::uint32_t>& scratch);

  /// What has a cell, or is large, stands there unless it is a stray.
  const CellOrder& order() const { return order_; }
  /// Those that changed in this update among them.
  Slots strays() const { return strays_; }
  bool is_stray(LayerBoxes::Slot slot) const { return is_stray_[slot]; }

 private:
  void sort(const LayerBoxes& layer, std::vector<std::uint32_t>& scratch);
  void add_strays(const LayerBoxes& layer);

  CellOrder order_;
  bool is_sorted_ = false;
  std::vector<LayerBoxes::Slot> strays_;
  std::vector<bool> is_stray_;   // By slot.
  std::size_t comparisons_ = 0;  // Of strays, since it was sorted.
};

}  // namespace sweepd::collision
