// SPDX-License-Identifier: MIT
#include "collision/broadphase/cell_order.h"

#include <algorithm>

#include "base/assert.h"
#include "collision/broadphase/overlap_kernels.h"

namespace sweepd::collision {
void CellOrder::sort(std::span<const PackedBox> boxes, std::uint32_t query_size) {
  const bool is_outgrown = boxes.size() > 2 * fitted_count_ || 2 * boxes.size() < fitted_count_;
  if (sorts_until_fit_ == 0 || is_outgrown) {
    grid_.window = fit_window(boxes, query_size);
    sorts_until_fit_ = sorts_per_fit_;
    fitted_count_ = boxes.size();
  }
  --sorts_until_fit_;
  count(boxes);
  place(boxes.size());
  gather(boxes);
}

/// Leaves each box's cell in lanes_, which are not needed yet, and in begins_[c + 1] how many are in cell c.
void CellOrder::count(std::span<const PackedBox> boxes) {
  const std::size_t column = boxes.size() + kLanesBeyond;
  if (lanes_.size() < 4 * column) lanes_.resize(4 * column);
  if (slots_.size() < column) slots_.resize(column);
  auto* cells = reinterpret_cast<std::uint32_t*>(lanes_.data());
  const kernels::Extents extents = kernels::find_cells(grid_.window, boxes, cells);
  grid_.width = extents.width;
  grid_.height = extents.height;
  begins_.assign(grid_.window.cells() + 3, 0);
  for (std::size_t i = 0; i < boxes.size(); ++i) ++begins_[cells[i] + 1];
}

void CellOrder::place(std::size_t box_count) {
  const std::uint32_t cell_count = grid_.window.cells();
  regular_count_ = box_count - begins_[cell_count + 1] - begins_[cell_count + 2];
  large_count_ = begins_[cell_count + 1];
  // begins_[c + 1] becomes the beginning of cell c, and grows to its end while its boxes are placed.
  std::uint32_t sum = 0;
  for (std::uint32_t cell = 0; cell < cell_count + 2; ++cell) {
    const std::uint32_t in_cell = begins_[cell + 1];
    begins_[cell + 1] = sum;
    sum += in_cell;
  }
  const auto* cells = reinterpret_cast<const std::uint32_t*>(lanes_.data());
  for (std::size_t i = 0; i < box_count; ++i) {
    slots_[begins_[cells[i] + 1]++] = static_cast<std::uint32_t>(i);
  }
}

void CellOrder::gather(std::span<const PackedBox> boxes) {
  const std::size_t column = boxes.size() + kLanesBeyond;
  Subunits* lanes = lanes_.data();
  kernels::gather_lanes(boxes, {slots_.data(), regular_count_},
                        {lanes, lanes + column, lanes + 2 * column, lanes + 3 * column});
  grid_.lanes = {lanes, lanes + column, lanes + 2 * column, lanes + 3 * column, slots_.data()};
  grid_.begins = begins_.data();
}

std::span<const std::uint32_t> CellOrder::large() const {
  return {slots_.data() + regular_count_, large_count_};
}

}  // namespace sweepd::collision
