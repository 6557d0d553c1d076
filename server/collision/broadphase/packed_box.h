// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "collision/geometry.h"

namespace sweepd::collision {

/// A box as four lanes of which each has to be at most its counterpart: two boxes overlap if
/// a.min_x <= b.max_x, a.min_y <= b.max_y, ~a.max_x <= ~b.min_x and ~a.max_y <= ~b.min_y. One vector
/// comparison, or four over many boxes at once. The complement, unlike the negative, exists of every number.
struct PackedBox {
  Subunits min_x = 0;
  Subunits min_y = 0;
  Subunits not_max_x = 0;
  Subunits not_max_y = 0;

  friend bool operator==(const PackedBox&, const PackedBox&) = default;
};

/// Overlaps nothing, itself included: only a box over the whole range on both axes could, and there is none.
inline constexpr PackedBox kNoBox{kSubunitsMax, kSubunitsMax, kSubunitsMax, kSubunitsMax};

constexpr PackedBox pack(const Box& box) { return {box.min_x, box.min_y, ~box.max_x, ~box.max_y}; }
constexpr Box unpack(const PackedBox& box) { return {box.min_x, box.min_y, ~box.not_max_x, ~box.not_max_y}; }

constexpr bool overlap(const PackedBox& a, const PackedBox& b) {
  return (a.min_x <= ~b.not_max_x) & (a.min_y <= ~b.not_max_y) & (a.not_max_x <= ~b.min_x) &
         (a.not_max_y <= ~b.min_y);
}

}  // namespace sweepd::collision
