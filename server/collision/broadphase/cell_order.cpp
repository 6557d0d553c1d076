// SPDX-License-Identifier: MIT
#include "collision/broadphase/cell_order.h"

#include "collision/broadphase/box_lanes.h"
#include "collision/broadphase/overlap_kernels.h"

namespace sweepd::collision {

void CellOrder::sort(std::span<const PackedBox> boxes, const CellWindow& window,
                     std::vector<std::uint32_t>& cells) {
  grid_.window = window;
  count(boxes, cells);
  place({cells.data(), boxes.size()});
  grid_.begins = begins_.data();
  grid_.slots = slots_.data();
}

/// Leaves each box's cell in `cells`, and in begins_[c + 1] how many are in cell c.
void CellOrder::count(std::span<const PackedBox> boxes, std::vector<std::uint32_t>& cells) {
  // Vectors write and read whole, so there has to be room beyond the end.
  const std::size_t room = boxes.size() + BoxLanes::kLanesBeyond;
  if (cells.size() < room) cells.resize(room);
  if (slots_.size() < room) slots_.resize(room);
  const kernels::Extents extents = kernels::find_cells(grid_.window, boxes, cells.data());
  grid_.width = extents.width;
  grid_.height = extents.height;
  begins_.assign(grid_.window.cells() + 3, 0);
  for (std::size_t i = 0; i < boxes.size(); ++i) ++begins_[cells[i] + 1];
}

void CellOrder::place(std::span<const std::uint32_t> cells) {
  const std::uint32_t cell_count = grid_.window.cells();
  large_count_ = begins_[cell_count + 1];
  filed_count_ = cells.size() - large_count_ - begins_[cell_count + 2];
  // begins_[c + 1] becomes the beginning of cell c, and grows to its end while its boxes are placed.
  std::uint32_t sum = 0;
  for (std::uint32_t cell = 0; cell < cell_count + 2; ++cell) {
    const std::uint32_t in_cell = begins_[cell + 1];
    begins_[cell + 1] = sum;
    sum += in_cell;
  }
  for (std::size_t i = 0; i < cells.size(); ++i)
    slots_[begins_[cells[i] + 1]++] = static_cast<std::uint32_t>(i);
}

}  // namespace sweepd::collision
