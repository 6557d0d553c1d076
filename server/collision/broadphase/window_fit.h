// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "collision/broadphase/cell_grid.h"
#include "collision/broadphase/packed_box.h"

namespace sweepd::collision {

/// A window fitted to boxes and kept for a while: it decides on speed, never on results.
class WindowFit {
 public:
  /// The window for `boxes`, fitted anew every `sorts_per_fit` calls, or when their number is another
  /// altogether.
  const CellWindow& fit(std::span<const PackedBox> boxes, std::uint32_t sorts_per_fit);

 private:
  CellWindow window_;
  std::uint32_t sorts_until_fit_ = 0;
  std::size_t fitted_count_ = 0;
};

/// A window for boxes like these: where most of them are, cells so large that a search looks at few rows and
/// few boxes. Judged by a sample.
CellWindow fit_window(std::span<const PackedBox> boxes);

}  // namespace sweepd::collision
