// SPDX-License-Identifier: MIT
#include "collision/shapes/shape_check.h"

#include <algorithm>

#include "base/assert.h"

namespace sweepd::collision {
namespace {

std::int64_t width_of(const Box& box) { return std::int64_t{box.max_x} - box.min_x; }
std::int64_t height_of(const Box& box) { return std::int64_t{box.max_y} - box.min_y; }

std::optional<Box> make_box(std::int64_t min_x, std::int64_t min_y, std::int64_t max_x, std::int64_t max_y) {
  if (!fits_subunits(min_x) || !fits_subunits(min_y) || !fits_subunits(max_x) || !fits_subunits(max_y)) {
    return std::nullopt;
  }
  return Box{static_cast<Subunits>(min_x), static_cast<Subunits>(min_y), static_cast<Subunits>(max_x),
             static_cast<Subunits>(max_y)};
}

ShapeError check_mask(const Part& part, std::span<const BitMask> masks) {
  if (part.mask >= masks.size()) return ShapeError::kUnknownMask;
  const BitMask& mask = masks[part.mask];
  const bool fits = width_of(part.box) == mask.total_width() && height_of(part.box) == mask.total_height();
  return fits ? ShapeError::kNone : ShapeError::kMaskSizeMismatch;
}

}  // namespace

ShapeError check_shape(const Part& part, std::span<const BitMask> masks) {
  if (is_inverted(part.box)) return ShapeError::kInvertedBox;
  if (part.kind == ShapeKind::kMask) return check_mask(part, masks);
  if (part.radius < 0) return ShapeError::kNegativeRadius;
  const std::int64_t diameter = 2 * std::int64_t{part.radius};
  const std::int64_t width = width_of(part.box);
  const std::int64_t height = height_of(part.box);
  if (part.kind == ShapeKind::kCircle && (width != diameter || height != diameter))
    return ShapeError::kNotACircle;
  if (part.kind == ShapeKind::kCapsule && std::min(width, height) < diameter) return ShapeError::kNotACapsule;
  return ShapeError::kNone;
}

std::optional<Part> make_circle(Point center, Subunits radius, LayerId layer) {
  std::optional<Part> part = make_capsule(center, center, radius, layer);
  if (part) part->kind = ShapeKind::kCircle;
  return part;
}

std::optional<Part> make_capsule(Point a, Point b, Subunits radius, LayerId layer) {
  SWEEPD_ASSERT(radius >= 0);
  const std::int64_t r = radius;
  const auto box = make_box(std::min(a.x, b.x) - r, std::min(a.y, b.y) - r, std::max(a.x, b.x) + r,
                            std::max(a.y, b.y) + r);
  if (!box) return std::nullopt;
  const bool is_rising = (a.x < b.x) != (a.y < b.y) && a.x != b.x && a.y != b.y;
  return Part{
      .box = *box, .layer = layer, .kind = ShapeKind::kCapsule, .is_rising = is_rising, .radius = radius};
}

std::optional<Part> make_mask(Point corner, MaskId id, const BitMask& mask, LayerId layer) {
  const auto box =
      make_box(corner.x, corner.y, corner.x + mask.total_width(), corner.y + mask.total_height());
  if (!box) return std::nullopt;
  return Part{.box = *box, .layer = layer, .kind = ShapeKind::kMask, .mask = id};
}

}  // namespace sweepd::collision
