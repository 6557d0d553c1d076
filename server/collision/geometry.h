// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>

namespace sweepd::collision {

/// A coordinate, size or speed in subunits, 1/256 of a playfield unit. Integers only, so that every machine
/// agrees.
using Subunits = std::int32_t;

inline constexpr Subunits kSubunitsMin = std::numeric_limits<Subunits>::min();
inline constexpr Subunits kSubunitsMax = std::numeric_limits<Subunits>::max();

struct Point {
  Subunits x = 0;
  Subunits y = 0;
  friend bool operator==(const Point&, const Point&) = default;
};

/// An axis-aligned box with closed edges: touching boxes overlap. Zero width or height is allowed (a point, a
/// line).
struct Box {
  Subunits min_x = 0;
  Subunits min_y = 0;
  Subunits max_x = 0;
  Subunits max_y = 0;
  friend bool operator==(const Box&, const Box&) = default;
};

inline constexpr Box kWholeRange{kSubunitsMin, kSubunitsMin, kSubunitsMax, kSubunitsMax};

constexpr bool is_inverted(const Box& box) { return box.min_x > box.max_x || box.min_y > box.max_y; }

constexpr bool overlap(const Box& a, const Box& b) {
  return a.min_x <= b.max_x && b.min_x <= a.max_x && a.min_y <= b.max_y && b.min_y <= a.max_y;
}

constexpr bool fits_subunits(std::int64_t value) { return value >= kSubunitsMin && value <= kSubunitsMax; }

/// The coordinate nearest to `value`.
constexpr Subunits clamp_subunits(std::int64_t value) {
  return static_cast<Subunits>(std::clamp<std::int64_t>(value, kSubunitsMin, kSubunitsMax));
}

/// `box` moved by `offset`, or nothing if an edge would leave the range of coordinates: never wrapped.
constexpr std::optional<Box> translate(const Box& box, Point offset) {
  const std::int64_t min_x = std::int64_t{box.min_x} + offset.x;
  const std::int64_t min_y = std::int64_t{box.min_y} + offset.y;
  const std::int64_t max_x = std::int64_t{box.max_x} + offset.x;
  const std::int64_t max_y = std::int64_t{box.max_y} + offset.y;
  if (!fits_subunits(min_x) || !fits_subunits(min_y) || !fits_subunits(max_x) || !fits_subunits(max_y)) {
    return std::nullopt;
  }
  return Box{static_cast<Subunits>(min_x), static_cast<Subunits>(min_y), static_cast<Subunits>(max_x),
             static_cast<Subunits>(max_y)};
}

/// The same for what is known to stay within the range.
constexpr Box placed(const Box& box, Point position) {
  return {box.min_x + position.x, box.min_y + position.y, box.max_x + position.x, box.max_y + position.y};
}

}  // namespace sweepd::collision
