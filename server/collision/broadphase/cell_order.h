// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "collision/broadphase/cell_grid.h"
#include "collision/broadphase/packed_box.h"
#include "collision/broadphase/sweep_tuning.h"

namespace sweepd::collision {

/// Sorts a layer's boxes into an order of cells by counting, in one pass to count and one to place; boxes too large
/// for cells come after all others. The window of the cells is fitted to a sample of the boxes, and kept for a while:
/// it decides on speed, never on results.
class CellOrder {
 public:
  explicit CellOrder(const SweepTuning& tuning) : sorts_per_fit_(tuning.sorts_per_fit) {}

  /// `query_size`: about the size of what will search, if that is not the boxes themselves.
  void sort(std::span<const PackedBox> boxes, std::uint32_t query_size);

  /// Valid until the next sort.
  const CellGrid& grid() const { return grid_; }
  /// Slots of the boxes that have no cell.
  std::span<const std::uint32_t> large() const;

 private:
  void count(std::span<const PackedBox> boxes);
  void place(std::size_t box_count);
  void gather(std::span<const PackedBox> boxes);

  CellGrid grid_;
  std::vector<std::uint32_t> begins_;
  std::vector<std::uint32_t> slots_;
  std::vector<Subunits> lanes_;  // Four columns.
  std::uint32_t sorts_per_fit_;
  std::uint32_t sorts_until_fit_ = 0;
  std::size_t fitted_count_ = 0;
  std::size_t regular_count_ = 0;
  std::size_t large_count_ = 0;
};

/// A window for boxes like these: where most of them are, cells so large that a search looks at few rows and few boxes.
CellWindow fit_window(std::span<const PackedBox> boxes, std::uint32_t query_size);

}  // namespace sweepd::collision
