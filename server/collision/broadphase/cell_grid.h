// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "collision/geometry.h"

namespace sweepd::collision {

/// Which cell a box is filed in: that of its (min x, min y) corner, one cell only. Cells are rectangles of
/// two powers of two. What lies outside the window is filed in the cells at its edge: cells only ever grow
/// with the coordinate, so a search over a range of them misses nothing, wherever the window lies.
struct CellWindow {
  Subunits origin_x = 0;
  Subunits origin_y = 0;
  std::uint32_t last_x = 0;  ///< Largest offset from the origin.
  std::uint32_t last_y = 0;
  std::uint32_t shift_x = 0;  ///< Cells are 2^shift_x wide.
  std::uint32_t shift_y = 0;
  std::uint32_t columns = 1;
  std::uint32_t rows = 1;
  /// Wider or higher boxes are kept apart: each would make every search wider.
  std::uint32_t width_max = 0;
  std::uint32_t height_max = 0;

  std::uint32_t cells() const { return columns * rows; }

  std::uint32_t column_of(std::int64_t x) const { return clamped(x - origin_x, last_x) >> shift_x; }
  std::uint32_t row_of(std::int64_t y) const { return clamped(y - origin_y, last_y) >> shift_y; }

 private:
  static std::uint32_t clamped(std::int64_t offset, std::uint32_t last) {
    if (offset < 0) return 0;
    return offset > last ? last : static_cast<std::uint32_t>(offset);
  }
};

/// Slots of boxes in the order of their cells, row by row: what one search needs of one row is contiguous.
struct CellGrid {
  CellWindow window;
  const std::uint32_t* begins = nullptr;  ///< By cell, one more than there are: where the cell's slots begin.
  const std::uint32_t* slots = nullptr;
  std::uint32_t width = 0;  ///< Largest of any box filed in a cell.
  std::uint32_t height = 0;
};

}  // namespace sweepd::collision
