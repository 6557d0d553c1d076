// SPDX-License-Identifier: MIT
#include "property/shapes/shape_oracle.h"

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <vector>

#include "collision/shapes/bit_mask.h"

namespace sweepd::property {
namespace {

using collision::BitMask;
using collision::Box;
using collision::Shape;
using collision::ShapeKind;
using Fraction = boost::multiprecision::cpp_rational;

struct Spot {
  Fraction x, y;
};

struct Segment {
  Spot from, to;
};

Fraction clamp_to_unit(const Fraction& value) {
  if (value < 0) return 0;
  return value > 1 ? Fraction(1) : value;
}

Fraction squared_distance(const Spot& a, const Spot& b) {
  const Fraction x = a.x - b.x;
  const Fraction y = a.y - b.y;
  return x * x + y * y;
}

Spot at(const Segment& segment, const Fraction& t) {
  return {segment.from.x + (segment.to.x - segment.from.x) * t,
          segment.from.y + (segment.to.y - segment.from.y) * t};
}

Fraction dot(const Spot& a, const Spot& b) { return a.x * b.x + a.y * b.y; }
Spot minus(const Spot& a, const Spot& b) { return {a.x - b.x, a.y - b.y}; }

Fraction squared_distance(const Spot& spot, const Segment& segment) {
  const Spot line = minus(segment.to, segment.from);
  const Fraction length = dot(line, line);
  if (length == 0) return squared_distance(spot, segment.from);
  return squared_distance(spot, at(segment, clamp_to_unit(dot(minus(spot, segment.from), line) / length)));
}

/// |a(s) - b(t)|² is a quadratic function of (s, t): its minimum over the unit square lies inside, where both
/// derivatives are zero, or on an edge, where one of the two is an end.
Fraction squared_distance(const Segment& a, const Segment& b) {
  Fraction least = std::min({squared_distance(a.from, b), squared_distance(a.to, b),
                             squared_distance(b.from, a), squared_distance(b.to, a)});
  const Spot u = minus(a.to, a.from);
  const Spot v = minus(b.to, b.from);
  const Spot w = minus(a.from, b.from);
  const Fraction determinant = dot(u, u) * dot(v, v) - dot(u, v) * dot(u, v);
  if (determinant == 0) return least;
  const Fraction s = (dot(u, v) * dot(v, w) - dot(v, v) * dot(u, w)) / determinant;
  const Fraction t = (dot(u, u) * dot(v, w) - dot(u, v) * dot(u, w)) / determinant;
  if (s < 0 || s > 1 || t < 0 || t > 1) return least;
  return std::min(least, squared_distance(at(a, s), at(b, t)));
}

std::vector<Segment> edges_of(const Shape& shape) {
  const Fraction left = shape.box.min_x, right = shape.box.max_x, top = shape.box.min_y,
                 bottom = shape.box.max_y;
  const Fraction r = shape.radius;
  switch (shape.kind) {
    case ShapeKind::kCircle:
      return {{{left + r, top + r}, {left + r, top + r}}};
    case ShapeKind::kCapsule:
      if (shape.is_rising) return {{{left + r, bottom - r}, {right - r, top + r}}};
      return {{{left + r, top + r}, {right - r, bottom - r}}};
    default:
      return {{{left, top}, {right, top}},
              {{right, top}, {right, bottom}},
              {{right, bottom}, {left, bottom}},
              {{left, bottom}, {left, top}}};
  }
}

bool contains(const Box& box, const Spot& spot) {
  return box.min_x <= spot.x && spot.x <= box.max_x && box.min_y <= spot.y && spot.y <= box.max_y;
}

std::vector<Shape> pixels_of(const Shape& shape) {
  if (shape.kind != ShapeKind::kMask) return {shape};
  std::vector<Shape> pixels;
  const auto size = shape.mask->pixel_size();
  for (std::int32_t row = 0; row < shape.mask->height(); ++row) {
    for (std::int32_t column = 0; column < shape.mask->width(); ++column) {
      if ((shape.mask->bits(row, column) & 1) == 0) continue;
      const auto x = shape.box.min_x + column * size;
      const auto y = shape.box.min_y + row * size;
      pixels.push_back({.box = {x, y, x + size, y + size}});
    }
  }
  return pixels;
}

bool convex_touch(const Shape& a, const Shape& b) {
  const std::vector<Segment> edges_a = edges_of(a);
  const std::vector<Segment> edges_b = edges_of(b);
  if (a.kind == ShapeKind::kBox && contains(a.box, edges_b[0].from)) return true;
  if (b.kind == ShapeKind::kBox && contains(b.box, edges_a[0].from)) return true;
  const Fraction reach = (a.kind == ShapeKind::kBox ? 0 : Fraction(a.radius)) +
                         (b.kind == ShapeKind::kBox ? 0 : Fraction(b.radius));
  return std::any_of(edges_a.begin(), edges_a.end(), [&](const Segment& edge_a) {
    return std::any_of(edges_b.begin(), edges_b.end(), [&](const Segment& edge_b) {
      return squared_distance(edge_a, edge_b) <= reach * reach;
    });
  });
}

}  // namespace

bool oracle_touch(const Shape& a, const Shape& b) {
  for (const Shape& pixel_a : pixels_of(a)) {
    for (const Shape& pixel_b : pixels_of(b)) {
      // Whatever touches, so do the boxes around it: fractions are slow, and pixels are many.
      if (overlap(pixel_a.box, pixel_b.box) && convex_touch(pixel_a, pixel_b)) return true;
    }
  }
  return false;
}

}  // namespace sweepd::property
