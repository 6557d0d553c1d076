// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "collision/object.h"
#include "collision/shapes/bit_mask.h"

namespace sweepd::collision {

/// Why a part is none.
enum class ShapeError : std::uint8_t {
  kNone,
  kInvertedBox,
  kNegativeRadius,
  kNotACircle,   ///< The box of a circle is a square of twice its radius.
  kNotACapsule,  ///< The box of a capsule is at least twice its radius wide and high.
  kUnknownMask,
  kMaskSizeMismatch,  ///< The box of a mask is as large as its picture.
};

ShapeError check_shape(const Part& part, std::span<const BitMask> masks);

/// Parts in the words of geometry; nothing if one would not fit 32 bits. Radius: 0 or more.
std::optional<Part> make_circle(Point center, Subunits radius, LayerId layer);
std::optional<Part> make_capsule(Point a, Point b, Subunits radius, LayerId layer);
std::optional<Part> make_mask(Point corner, MaskId id, const BitMask& mask, LayerId layer);

}  // namespace sweepd::collision
