// SPDX-License-Identifier: MIT
#include "collision/broadphase/window_fit.h"

#include <algorithm>
#include <array>

namespace sweepd::collision {
namespace {

constexpr std::size_t kSamplesMax = 256;

// In units of about a nanosecond: looking up one row's range, and testing a vector of boxes in it; a cell's
// share in counting and placing.
constexpr std::int64_t kRowCost = 40;
constexpr std::int64_t kVectorCost = 2;
constexpr std::int64_t kBoxesPerVector = 8;

/// The values that most of a sample lies between, sorted along the way.
struct Spread {
  std::int64_t low;
  std::int64_t high;
  std::int64_t width() const { return high - low + 1; }
};

Spread spread_of(std::array<std::int64_t, kSamplesMax>& values, std::size_t count) {
  std::sort(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(count));
  const std::int64_t low = values[count / 32];
  const std::int64_t high = values[count - 1 - count / 32];
  const std::int64_t margin = (high - low) / 16;
  return {std::max<std::int64_t>(low - margin, kSubunitsMin),
          std::min<std::int64_t>(high + margin, kSubunitsMax)};
}

struct Sample {
  std::size_t count = 0;
  std::array<std::int64_t, kSamplesMax> x, y, size;
};

Sample sample_of(std::span<const PackedBox> boxes) {
  Sample sample;
  const std::size_t step = boxes.size() / kSamplesMax + 1;
  for (std::size_t i = 0; i < boxes.size(); i += step) {
    if (boxes[i] == kNoBox) continue;
    const Box box = unpack(boxes[i]);
    sample.x[sample.count] = box.min_x;
    sample.y[sample.count] = box.min_y;
    sample.size[sample.count] =
        std::max(std::int64_t{box.max_x} - box.min_x, std::int64_t{box.max_y} - box.min_y);
    ++sample.count;
  }
  return sample;
}

/// The largest size that is still regular: up to twice what 31 of 32 have.
std::int64_t regular_size(Sample& sample) {
  std::sort(sample.size.begin(), sample.size.begin() + static_cast<std::ptrdiff_t>(sample.count));
  return 2 * sample.size[sample.count - 1 - sample.count / 32];
}

struct CellShape {
  std::uint32_t shift_x = 0;
  std::uint32_t shift_y = 0;
};

std::int64_t search_cost(std::int64_t box_count, const Spread& x, const Spread& y, std::int64_t size,
                         CellShape shape) {
  const std::int64_t rows = 16 + ((16 * size) >> shape.shift_y);  // In 1/16.
  const std::int64_t reach = 2 * size + (std::int64_t{1} << shape.shift_x);
  const std::int64_t row_height = std::min(std::int64_t{1} << shape.shift_y, y.width());
  // Boxes in `row_height` by `reach`, in 1/16, without overflow for the largest of windows.
  const std::int64_t per_row = box_count * 16 * row_height / y.width();
  const std::int64_t boxes = per_row * std::min(reach, x.width()) / x.width();
  return rows * (16 * kRowCost + kVectorCost * (16 + boxes / kBoxesPerVector)) / 16;
}

std::int64_t cells_along(const Spread& spread, std::uint32_t shift) {
  return ((spread.width() - 1) >> shift) + 1;
}

CellShape best_shape(std::int64_t box_count, const Spread& x, const Spread& y, std::int64_t size) {
  CellShape best{31, 31};
  std::int64_t best_cost = -1;
  for (std::uint32_t shift_y = 0; shift_y < 32; ++shift_y) {
    for (std::uint32_t shift_x = 0; shift_x < 32; ++shift_x) {
      if (cells_along(x, shift_x) > box_count || cells_along(y, shift_y) > box_count) continue;
      const std::int64_t cells = cells_along(x, shift_x) * cells_along(y, shift_y);
      if (cells > box_count) continue;
      const CellShape shape{shift_x, shift_y};
      const std::int64_t cost = search_cost(box_count, x, y, size, shape) + 16 * cells / box_count;
      if (best_cost < 0 || cost < best_cost) {
        best = shape;
        best_cost = cost;
      }
    }
  }
  return best;
}

}  // namespace

const CellWindow& WindowFit::fit(std::span<const PackedBox> boxes, std::uint32_t sorts_per_fit) {
  const bool is_outgrown = boxes.size() > 2 * fitted_count_ || 2 * boxes.size() < fitted_count_;
  if (sorts_until_fit_ == 0 || is_outgrown) {
    window_ = fit_window(boxes);
    sorts_until_fit_ = sorts_per_fit;
    fitted_count_ = boxes.size();
  }
  --sorts_until_fit_;
  return window_;
}

CellWindow fit_window(std::span<const PackedBox> boxes) {
  Sample sample = sample_of(boxes);
  if (sample.count == 0) return {};
  const Spread x = spread_of(sample.x, sample.count);
  const Spread y = spread_of(sample.y, sample.count);
  const std::int64_t regular = regular_size(sample);
  const std::int64_t size = regular / 2 + 1;
  const auto count = static_cast<std::int64_t>(boxes.size());
  const CellShape shape = best_shape(std::max<std::int64_t>(count, 16), x, y, size);

  CellWindow window;
  window.origin_x = static_cast<Subunits>(x.low);
  window.origin_y = static_cast<Subunits>(y.low);
  window.last_x = static_cast<std::uint32_t>(x.width() - 1);
  window.last_y = static_cast<std::uint32_t>(y.width() - 1);
  window.shift_x = shape.shift_x;
  window.shift_y = shape.shift_y;
  window.columns = static_cast<std::uint32_t>(cells_along(x, shape.shift_x));
  window.rows = static_cast<std::uint32_t>(cells_along(y, shape.shift_y));
  window.width_max = window.height_max =
      static_cast<std::uint32_t>(std::min<std::int64_t>(regular, 0xffffffff));
  return window;
}

}  // namespace sweepd::collision
