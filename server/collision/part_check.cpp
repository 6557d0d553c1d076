// SPDX-License-Identifier: MIT
#include "collision/part_check.h"

#include "base/assert.h"
#include "collision/shapes/shape_check.h"

namespace sweepd::collision {
namespace {

ChangeError change_error(ShapeError error) {
  switch (error) {
    case ShapeError::kNone:
      return ChangeError::kNone;
    case ShapeError::kInvertedBox:
      return ChangeError::kInvertedBox;
    case ShapeError::kNegativeRadius:
      return ChangeError::kNegativeRadius;
    case ShapeError::kNotACircle:
      return ChangeError::kNotACircle;
    case ShapeError::kNotACapsule:
      return ChangeError::kNotACapsule;
    case ShapeError::kUnknownMask:
      return ChangeError::kUnknownMask;
    case ShapeError::kMaskSizeMismatch:
      return ChangeError::kMaskSizeMismatch;
  }
  base::fail_assertion("a known error", __FILE__, __LINE__);
}

ChangeError check_place(const Box& box, Point position) {
  const std::optional<Box> placed_box = translate(box, position);
  return placed_box && *placed_box != kWholeRange ? ChangeError::kNone : ChangeError::kOutOfRange;
}

ChangeError check_part(const Part& part, Point position, const PartLimits& limits) {
  const ShapeError error = check_shape(part, limits.masks);
  if (error != ShapeError::kNone) return change_error(error);
  if (part.layer >= limits.layer_count) return ChangeError::kUnknownLayer;
  return check_place(part.box, position);
}

}  // namespace

ChangeResult check_parts(std::span<const Part> parts, Point position, const PartLimits& limits) {
  if (parts.empty()) return {ChangeError::kNoParts};
  if (parts.size() > kPartsMax) return {ChangeError::kTooManyParts};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const ChangeError error = check_part(parts[i], position, limits);
    if (error != ChangeError::kNone) return {error, static_cast<std::uint8_t>(i)};
  }
  return {};
}

ChangeResult check_range(std::span<const Part> parts, Point position) {
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (!translate(parts[i].box, position)) return {ChangeError::kOutOfRange, static_cast<std::uint8_t>(i)};
  }
  return {};
}

}  // namespace sweepd::collision
