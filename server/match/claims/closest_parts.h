// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "collision/layers.h"
#include "collision/shapes/shape.h"

namespace sweepd::match {

/// A part of something on its way.
struct SweptPart {
  std::uint8_t index = 0;  ///< Among the parts of its object.
  collision::LayerId layer = 0;
  collision::Shape shape;  ///< Where its way begins.
};

/// All of them go the same way.
struct SweptParts {
  std::vector<SweptPart> parts;  ///< By index.
  collision::Way way;
};

/// Which two parts of two objects come closest.
struct ClosestParts {
  std::int64_t margin = 0;  ///< As collision::margin.
  const SweptPart* a = nullptr;
  const SweptPart* b = nullptr;
  std::uint32_t measured = 0;  ///< Pairs whose margin it took to find them; one with a mask counts as 16.
};

/// The pair of the least margin, of those on layers that collide; of several, the lowest part of `a`, then of
/// `b`. Nothing if no two are on such layers. The boxes tell of most pairs that they are not it; only what
/// they leave is measured.
std::optional<ClosestParts> closest_parts(const SweptParts& a, const SweptParts& b,
                                          const collision::CollisionMatrix& matrix);

}  // namespace sweepd::match
