// SPDX-License-Identifier: MIT
#include "collision/shapes/margin.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>
#include <vector>

#include "base/wide.h"
#include "collision/shapes/bit_mask.h"
#include "collision/shapes/convex.h"

namespace sweepd::collision {
namespace {

using base::Int128;
using base::Uint128;

/// start + step * t, where t goes from 0 to 1.
struct Line {
  std::int64_t start;
  std::int64_t step;
};
using Lines = std::array<Line, 4>;

/// The least of the lines at t = p / q, rounded down. q > 0.
std::int64_t least_at(const Lines& lines, Int128 p, Int128 q) {
  Int128 least = lines[0].start * q + lines[0].step * p;
  for (const Line& line : lines) least = std::min(least, line.start * q + line.step * p);
  const Int128 quotient = least / q;
  return static_cast<std::int64_t>(quotient - (quotient * q > least ? 1 : 0));
}

/// The least of the lines is greatest at an end, or where two of them cross.
std::int64_t greatest_least(const Lines& lines) {
  std::int64_t greatest = std::max(least_at(lines, 0, 1), least_at(lines, 1, 1));
  for (std::size_t i = 0; i < lines.size(); ++i) {
    for (std::size_t j = i + 1; j < lines.size(); ++j) {
      Int128 p = Int128{lines[j].start} - lines[i].start;
      Int128 q = Int128{lines[i].step} - lines[j].step;
      if (q < 0) {
        p = -p;
        q = -q;
      }
      if (q > 0 && p > 0 && p < q) greatest = std::max(greatest, least_at(lines, p, q));
    }
  }
  return greatest;
}

/// How deep the boxes overlap at the deepest, while `a` moves along `way` against `b`.
std::int64_t depth(const Box& a, const Box& b, Way way) {
  const Lines lines{{{std::int64_t{a.max_x} - b.min_x, way.x},
                     {std::int64_t{b.max_x} - a.min_x, -way.x},
                     {std::int64_t{a.max_y} - b.min_y, way.y},
                     {std::int64_t{b.max_y} - a.min_y, -way.y}}};
  return way.x == 0 && way.y == 0 ? least_at(lines, 0, 1) : greatest_least(lines);
}

std::int64_t root(Vector a) {
  const auto x = static_cast<Uint128>(Int128{a.x} * a.x);
  const auto y = static_cast<Uint128>(Int128{a.y} * a.y);
  return static_cast<std::int64_t>(base::square_root(x + y));
}

/// At least as long as the vector, by less than 1.
std::int64_t length(Vector a) {
  if (a.x == 0 || a.y == 0) return std::abs(a.x + a.y);
  return root(a) + 1;
}

struct Edge {
  Vector from;
  Vector line;
  std::int64_t length;
};

/// At most the distance of the point from the edge, and little less.
std::int64_t distance_below(Vector point, const Edge& edge) {
  const Vector way = point - edge.from;
  if (edge.length == 0) return root(way);
  const Int128 along = Int128{way.x} * edge.line.x + Int128{way.y} * edge.line.y;
  if (along <= 0) return root(way);
  const Int128 whole = Int128{edge.line.x} * edge.line.x + Int128{edge.line.y} * edge.line.y;
  if (along >= whole) return root(way - edge.line);
  const Int128 area = Int128{edge.line.x} * way.y - Int128{edge.line.y} * way.x;
  return static_cast<std::int64_t>(base::magnitude(area) / static_cast<Uint128>(edge.length));
}

/// At most the distance of the polygon from the way of the origin, if they do not touch: one end of the way,
/// or one corner of the polygon, is nearest.
std::int64_t distance_below(const Rounded& target, Way way) {
  const Vector end{way.x, way.y};
  const Edge path{{}, end, length(end)};
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  const std::span<const Vector> corners = target.corners();
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Vector line = corners[(i + 1) % corners.size()] - corners[i];
    const Edge edge{corners[i], line, length(line)};
    least = std::min({least, distance_below(Vector{}, edge), distance_below(corners[i], path)});
    if (path.length > 0) least = std::min(least, distance_below(end, edge));
  }
  return least;
}

bool is_within(Rounded target, Way way, std::int64_t distance) {
  target.radius += distance;
  return path_touches(target, way, 1, 1);
}

/// Of two that touch, 1. Above `limit`, 1 or more, it does not matter by how much: limit + 1.
std::int64_t gap(const Rounded& target, Way way, std::int64_t limit) {
  if (limit < kMarginMax && !is_within(target, way, limit)) return limit + 1;
  if (is_within(target, way, 1)) return 1;
  // From an estimate that is not too large to the exact number.
  std::int64_t low = std::max<std::int64_t>(1, distance_below(target, way) - target.radius - 1);
  std::int64_t high = low + 1;
  for (std::int64_t step = 1; !is_within(target, way, high); step *= 2) {
    low = high;
    high += step;
  }
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (is_within(target, way, middle) ? high : low) = middle;
  }
  return high;
}

/// Boxes that make up a mask, or cover it row by row. Of one without pixels, the box around it: it is
/// nowhere, but something has to be said.
std::vector<Shape> pieces_of(const Shape& shape) {
  if (shape.kind != ShapeKind::kMask) return {shape};
  const BitMask& mask = *shape.mask;
  const auto box_of = [&](std::int32_t row, std::int32_t first, std::int32_t last) {
    const Subunits size = mask.pixel_size();
    const Subunits x = shape.box.min_x;
    const Subunits y = shape.box.min_y;
    return Shape{.box = {x + first * size, y + row * size, x + (last + 1) * size, y + (row + 1) * size}};
  };
  std::vector<Shape> runs;
  std::vector<Shape> rows;
  for (std::int32_t row = 0; row < mask.height(); ++row) {
    auto run = mask.next_run(row, 0);
    if (!run) continue;
    const std::int32_t first = run->first;
    std::int32_t last = run->last;
    for (; run; run = mask.next_run(row, run->last + 1)) {
      // One too many is enough to know that the rows have to do.
      if (runs.size() <= kMarginRunsMax) runs.push_back(box_of(row, run->first, run->last));
      last = run->last;
    }
    rows.push_back(box_of(row, first, last));
  }
  if (runs.empty()) return {Shape{.box = shape.box}};
  return runs.size() > kMarginRunsMax ? rows : runs;
}

/// How far two boxes are apart on the way, along one axis each: negative where they may meet.
struct Gaps {
  std::int64_t x;
  std::int64_t y;
};

Gaps gaps(const Box& a, const Box& b, Way way) {
  const std::int64_t right = std::int64_t{b.min_x} - a.max_x - std::max<std::int64_t>(way.x, 0);
  const std::int64_t left = std::int64_t{a.min_x} + std::min<std::int64_t>(way.x, 0) - b.max_x;
  const std::int64_t down = std::int64_t{b.min_y} - a.max_y - std::max<std::int64_t>(way.y, 0);
  const std::int64_t up = std::int64_t{a.min_y} + std::min<std::int64_t>(way.y, 0) - b.max_y;
  return {std::max(right, left), std::max(down, up)};
}

Uint128 square(std::int64_t length) { return static_cast<Uint128>(Int128{length} * length); }

/// The square of at most the distance of two boxes on the way.
Uint128 square_below(const Box& a, const Box& b, Way way) {
  const Gaps gap = gaps(a, b, way);
  return square(std::max<std::int64_t>(gap.x, 0)) + square(std::max<std::int64_t>(gap.y, 0));
}

/// Looks for the two pieces that come closest.
class PieceSearch {
 public:
  PieceSearch(const Shape& a, const Shape& b, Way way, std::int64_t limit)
      : pieces_a_(pieces_of(a)), pieces_b_(pieces_of(b)), box_b_(b.box), way_(way), least_(limit + 1) {}

  /// Two that are probably close come first: they tell of most others that they are not closer.
  std::int64_t run() {
    const Shape& first_a = nearest_to(box_b_, way_, pieces_a_);
    compare(first_a, nearest_to(first_a.box, {-way_.x, -way_.y}, pieces_b_));
    for (const Shape& a : pieces_a_) {
      if (is_closer(a.box, box_b_)) compare_rows(a);
    }
    return least_;
  }

 private:
  /// The piece whose box comes closest to `box` on the way.
  static const Shape& nearest_to(const Box& box, Way way, const std::vector<Shape>& pieces) {
    return *std::ranges::min_element(pieces, {},
                                     [&](const Shape& piece) { return square_below(piece.box, box, way); });
  }

  /// Whether these boxes may be closer than all so far.
  bool is_closer(const Box& a, const Box& b) const {
    return least_ > 1 && square_below(a, b, way_) <= square(least_ - 1);
  }

  /// Of the rows of `b`, which come from the lowest y to the highest, those near `a`.
  void compare_rows(const Shape& a) {
    const std::int64_t first_y = a.box.min_y + std::min<std::int64_t>(way_.y, 0) - (least_ - 1);
    const std::int64_t last_y = a.box.max_y + std::max<std::int64_t>(way_.y, 0) + (least_ - 1);
    auto b = std::ranges::partition_point(
        pieces_b_, [first_y](const Shape& piece) { return piece.box.max_y < first_y; });
    for (; b != pieces_b_.end() && b->box.min_y <= last_y; ++b) {
      if (is_closer(a.box, b->box)) compare(a, *b);
    }
  }

  void compare(const Shape& a, const Shape& b) {
    if (!is_closer(a.box, b.box)) return;
    // Rows may touch where pixels do not.
    least_ = gap(difference(rounded(a), rounded(b)), way_, least_ - 1);
  }

  const std::vector<Shape> pieces_a_;
  const std::vector<Shape> pieces_b_;
  const Box box_b_;
  const Way way_;
  std::int64_t least_;
};

}  // namespace

/// How far apart their swept boxes are; or minus how deep they overlap, and no two boxes in them overlap more
/// at any moment.
std::int64_t least_margin(const Box& a, const Box& b, Way way) {
  const Gaps gap = gaps(a, b, way);
  return std::max(gap.x, gap.y);
}

std::int64_t margin(const Shape& a, Way way_a, const Shape& b, Way way_b, std::int64_t limit) {
  const Way way{way_a.x - way_b.x, way_a.y - way_b.y};
  const bool has_pixels = a.kind == ShapeKind::kMask || b.kind == ShapeKind::kMask;
  const auto target = [&] { return difference(rounded(a), rounded(b)); };
  const bool touches =
      has_pixels ? first_touch(a, way_a, b, way_b, 1).has_value() : path_touches(target(), way, 1, 1);
  if (touches) return -depth(a.box, b.box, way);
  if (limit < 1) return 1;
  limit = std::min(limit, kMarginMax);
  return has_pixels ? PieceSearch(a, b, way, limit).run() : gap(target(), way, limit);
}

}  // namespace sweepd::collision
