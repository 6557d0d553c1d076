// SPDX-License-Identifier: MIT
#include "collision/shapes/mask_touch.h"

#include <algorithm>

#include "base/assert.h"
#include "collision/shapes/bit_mask.h"

namespace sweepd::collision {
namespace {

std::int64_t floor_divide(std::int64_t value, std::int64_t divisor) {
  return value >= 0 ? value / divisor : -((-value + divisor - 1) / divisor);
}

std::int64_t ceil_divide(std::int64_t value, std::int64_t divisor) { return -floor_divide(-value, divisor); }

/// Pixels along one axis, both ends included.
struct Span {
  std::int32_t first;
  std::int32_t last;
};

/// Pixels of a picture from `origin` on that touch what lies between `min` and `max`.
Span pixels_between(std::int64_t min, std::int64_t max, std::int64_t origin, std::int64_t pixel_size,
                    std::int32_t count) {
  const std::int64_t first = ceil_divide(min - origin, pixel_size) - 1;
  const std::int64_t last = floor_divide(max - origin, pixel_size);
  return {static_cast<std::int32_t>(std::clamp<std::int64_t>(first, 0, count)),
          static_cast<std::int32_t>(std::clamp<std::int64_t>(last, -1, count - 1))};
}

/// What a shape covers in whole coordinates, wide enough for the hull of any way.
struct Extent {
  std::int64_t min_x, min_y, max_x, max_y;
};

Extent extent_of(const Box& box) { return {box.min_x, box.min_y, box.max_x, box.max_y}; }

/// All that the box covers on the way, seen by whom moves along `other`.
Extent extent_on_way(const Box& box, Way way, Way other) {
  const std::int64_t x = way.x - other.x;
  const std::int64_t y = way.y - other.y;
  return {box.min_x + std::min<std::int64_t>(x, 0), box.min_y + std::min<std::int64_t>(y, 0),
          box.max_x + std::max<std::int64_t>(x, 0), box.max_y + std::max<std::int64_t>(y, 0)};
}

Span rows_between(const Shape& mask, const Extent& extent) {
  return pixels_between(extent.min_y, extent.max_y, mask.box.min_y, mask.mask->pixel_size(),
                        mask.mask->height());
}

Span columns_between(const Shape& mask, const Extent& extent) {
  return pixels_between(extent.min_x, extent.max_x, mask.box.min_x, mask.mask->pixel_size(),
                        mask.mask->width());
}

Box box_of(const Shape& mask, std::int32_t row, BitMask::Run run) {
  const Subunits size = mask.mask->pixel_size();
  const Subunits x = mask.box.min_x;
  const Subunits y = mask.box.min_y;
  return {x + run.first * size, y + row * size, x + (run.last + 1) * size, y + (row + 1) * size};
}

/// Calls visit(box) for each run of pixels of the mask that touches `extent`, cut to the columns that do,
/// until it answers true; whether it did.
template <typename Visit>
bool visit_runs(const Shape& mask, const Extent& extent, const Visit& visit) {
  const Span rows = rows_between(mask, extent);
  const Span columns = columns_between(mask, extent);
  for (std::int32_t row = rows.first; row <= rows.last; ++row) {
    auto run = mask.mask->next_run(row, columns.first);
    for (; run && run->first <= columns.last; run = mask.mask->next_run(row, run->last + 1)) {
      if (visit(box_of(mask, row, {run->first, std::min(run->last, columns.last)}))) return true;
    }
  }
  return false;
}

/// Whether a pixel of the mask touches the box.
bool has_pixel_in(const Shape& mask, const Box& box) {
  const Extent extent = extent_of(box);
  const Span rows = rows_between(mask, extent);
  const Span columns = columns_between(mask, extent);
  for (std::int32_t row = rows.first; row <= rows.last; ++row) {
    if (mask.mask->has_any(row, columns.first, columns.last)) return true;
  }
  return false;
}

/// Of two masks of one pixel size: pixel i of a touches pixels i - last … i - first of b. Two of them, or
/// three where the pixels lie edge on edge.
Span shifts(std::int64_t min_a, std::int64_t min_b, std::int64_t pixel_size) {
  const std::int64_t offset = min_b - min_a;
  return {static_cast<std::int32_t>(ceil_divide(offset, pixel_size) - 1),
          static_cast<std::int32_t>(floor_divide(offset, pixel_size) + 1)};
}

bool rows_touch(const BitMask& a, std::int32_t row_a, const BitMask& b, std::int32_t row_b, Span columns,
                Span shift) {
  for (std::int32_t column = columns.first; column <= columns.last; column += 64) {
    std::uint64_t near = 0;
    for (std::int32_t s = shift.first; s <= shift.last; ++s) near |= b.bits(row_b, column - s);
    if ((a.bits(row_a, column) & near) != 0) return true;
  }
  return false;
}

bool equal_masks_touch(const Shape& a, const Shape& b) {
  const std::int64_t size = a.mask->pixel_size();
  const Span column_shift = shifts(a.box.min_x, b.box.min_x, size);
  const Span row_shift = shifts(a.box.min_y, b.box.min_y, size);
  const Span rows = rows_between(a, extent_of(b.box));
  const Span columns = columns_between(a, extent_of(b.box));
  for (std::int32_t row = rows.first; row <= rows.last; ++row) {
    for (std::int32_t s = row_shift.first; s <= row_shift.last; ++s) {
      if (rows_touch(*a.mask, row, *b.mask, row - s, columns, column_shift)) return true;
    }
  }
  return false;
}

Shape box_shape(const Box& box) { return {.box = box}; }

}  // namespace

bool mask_touches(const Shape& a, const Shape& b) {
  SWEEPD_ASSERT(a.kind == ShapeKind::kMask);
  if (b.kind == ShapeKind::kBox) return has_pixel_in(a, b.box);
  if (b.kind == ShapeKind::kMask) {
    if (a.mask->pixel_size() == b.mask->pixel_size()) return equal_masks_touch(a, b);
    return visit_runs(a, extent_of(b.box), [&](const Box& run) { return has_pixel_in(b, run); });
  }
  return visit_runs(a, extent_of(b.box), [&](const Box& run) { return touch(box_shape(run), b); });
}

std::optional<std::uint32_t> mask_first_touch(const Shape& a, Way way_a, const Shape& b, Way way_b,
                                              std::uint32_t steps, std::uint32_t limit) {
  std::optional<std::uint32_t> first;
  visit_runs(a, extent_on_way(b.box, way_b, way_a), [&](const Box& run) {
    // Only an earlier contact than that of another run counts: most runs are done with after one look.
    const std::uint32_t earlier = first ? *first - 1 : limit;
    if (const auto found = first_touch(b, way_b, box_shape(run), way_a, steps, earlier)) first = found;
    return first == 0u;
  });
  return first;
}

std::uint64_t mask_distance(const Shape& mask, Point point) {
  std::uint64_t nearest = ~std::uint64_t{0};
  visit_runs(mask, extent_of(mask.box), [&](const Box& run) {
    nearest = std::min(nearest, distance(box_shape(run), point));
    return nearest == 0;
  });
  return nearest;
}

}  // namespace sweepd::collision
