// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>

#include "match/refusal.h"
#include "match/shape_config.h"

namespace sweepd::match {

/// How far the pixels of `mask` reach from the corner of their first one, in subunits.
struct MaskSize {
  std::int64_t width;
  std::int64_t height;
};
MaskSize size_of(const MaskConfig& mask);

/// Makes parts from a frame ready for the world: fills in what a frame leaves to the config, the size of a
/// mask's box. A frame gives a mask by its upper left corner alone. The first part of a shape that cannot be,
/// or nothing; the parts behind that one stay as they are.
std::optional<Refusal> prepare_parts(std::span<collision::Part> parts, std::span<const MaskConfig> masks);

/// A box that no part may have, instead of wrapping: of a circle or a capsule that would leave the range of
/// coordinates, and of a mask whose index fits no MaskId.
inline constexpr collision::Box kImpossibleBox{1, 1, 0, 0};

}  // namespace sweepd::match
