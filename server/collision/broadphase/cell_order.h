// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "collision/broadphase/cell_grid.h"
#include "collision/broadphase/packed_box.h"

namespace sweepd::collision {

/// Sorts boxes into an order of cells by counting, in one pass to count and one to place; boxes too large for
/// cells come after all others.
class CellOrder {
 public:
  /// `cells` is used as scratch memory.
  void sort(std::span<const PackedBox> boxes, const CellWindow& window, std::vector<std::uint32_t>& cells);

  /// Valid until the next sort.
  const CellGrid& grid() const { return grid_; }
  /// Slots of the boxes that have a cell, in the order of the cells.
  std::span<const std::uint32_t> filed() const { return {slots_.data(), filed_count_}; }
  /// Slots of the boxes that have none, ascending.
  std::span<const std::uint32_t> large() const { return {slots_.data() + filed_count_, large_count_}; }

 private:
  void count(std::span<const PackedBox> boxes, std::vector<std::uint32_t>& cells);
  void place(std::span<const std::uint32_t> cells);

  CellGrid grid_;
  std::vector<std::uint32_t> begins_;
  std::vector<std::uint32_t> slots_;
  std::size_t filed_count_ = 0;
  std::size_t large_count_ = 0;
};

}  // namespace sweepd::collision
