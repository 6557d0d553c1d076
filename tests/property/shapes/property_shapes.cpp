// SPDX-License-Identifier: MIT
// Protects the exactness of shapes: for every pair of kinds, near and far, touching by a hair or missing by
// one, the answers are those of an oracle in fractions; and no sweep misses what happens between its steps.

#include <gtest/gtest.h>

#include <algorithm>

#include "collision/shapes/bit_mask.h"
#include "collision/shapes/shape.h"
#include "collision/shapes/shape_check.h"
#include "property/random.h"
#include "property/shapes/shape_oracle.h"

namespace sweepd::collision {

static std::ostream& operator<<(std::ostream& out, const Shape& shape) {
  return out << "kind " << static_cast<int>(shape.kind) << " box " << shape.box.min_x << " "
             << shape.box.min_y << " " << shape.box.max_x << " " << shape.box.max_y << " radius "
             << shape.radius << " rising " << shape.is_rising;
}

}  // namespace sweepd::collision

namespace sweepd::property::property_shapes {
namespace {

using collision::BitMask;
using collision::Part;
using collision::Shape;
using collision::ShapeKind;
using collision::Subunits;
using collision::Way;

constexpr ShapeKind kKinds[] = {ShapeKind::kBox, ShapeKind::kCircle, ShapeKind::kCapsule, ShapeKind::kMask};

class Shapes {
 public:
  explicit Shapes(std::uint64_t seed) : random_(seed) {
    for (const std::uint32_t width : {3u, 7u, 12u}) {
      for (const Subunits pixel_size : {4, 4, 3}) masks_.push_back(random_mask(width, pixel_size));
    }
  }

  /// Somewhere within `range` of the origin, not much larger than `size`.
  Shape random_shape(ShapeKind kind, std::int64_t range, std::int64_t size) {
    const Part part = random_part(kind, size);
    const collision::Point position{number(-range, range), number(-range, range)};
    return collision::place(part, position, masks_);
  }

  Subunits number(std::int64_t low, std::int64_t high) {
    return static_cast<Subunits>(random_.between(low, high));
  }
  Way random_way(std::int64_t range) { return {number(-range, range), number(-range, range)}; }

 private:
  BitMask random_mask(std::uint32_t width, Subunits pixel_size) {
    std::vector<std::uint64_t> rows(width - 1);
    for (std::uint64_t& row : rows) row = static_cast<std::uint64_t>(random_.between(0, (1 << width) - 1));
    rows[0] |= 1;
    return BitMask(width, width - 1, pixel_size, rows);
  }

  Part random_part(ShapeKind kind, std::int64_t size) {
    const collision::Point a{number(-size, size), number(-size, size)};
    const collision::Point b{number(-size, size), number(-size, size)};
    switch (kind) {
      case ShapeKind::kBox:
        return {.box = {std::min(a.x, b.x), std::min(a.y, b.y), std::max(a.x, b.x), std::max(a.y, b.y)}};
      case ShapeKind::kCircle:
        return *collision::make_circle(a, number(0, size), 0);
      case ShapeKind::kCapsule:
        return *collision::make_capsule(a, random_.chance(20) ? a : b, number(0, size / 2), 0);
      case ShapeKind::kMask:
        break;
    }
    const auto id = static_cast<collision::MaskId>(random_.index(masks_.size()));
    return *collision::make_mask(a, id, masks_[id], 0);
  }

  Random random_;
  std::vector<BitMask> masks_;
};

template <typename Test>
void for_each_pair_of_kinds(const Test& test) {
  for (const ShapeKind a : kKinds) {
    for (const ShapeKind b : kKinds) test(a, b);
  }
}

TEST(Shapes, TouchAsTheOracleSays) {
  int touching = 0;
  int apart = 0;
  for_each_pair_of_kinds([&](ShapeKind kind_a, ShapeKind kind_b) {
    Shapes shapes(1);
    for (int i = 0; i < 400; ++i) {
      const std::int64_t scale = i % 2 == 0 ? 12 : 40;
      const Shape a = shapes.random_shape(kind_a, scale, scale);
      const Shape b = shapes.random_shape(kind_b, scale, scale);
      const bool expected = oracle_touch(a, b);
      ASSERT_EQ(collision::touch(a, b), expected) << a << " and " << b;
      ASSERT_EQ(collision::touch(b, a), expected) << a << " and " << b;
      ++(expected ? touching : apart);
    }
  });
  EXPECT_GT(touching, 1000);
  EXPECT_GT(apart, 1000);
}

TEST(Shapes, TouchAsTheOracleSaysOverTheWholeRange) {
  for (const ShapeKind kind_a : {ShapeKind::kBox, ShapeKind::kCircle, ShapeKind::kCapsule}) {
    for (const ShapeKind kind_b : {ShapeKind::kBox, ShapeKind::kCircle, ShapeKind::kCapsule}) {
      Shapes shapes(2);
      for (int i = 0; i < 100; ++i) {
        const Shape a = shapes.random_shape(kind_a, 1'000'000'000, 500'000'000);
        const Shape b = shapes.random_shape(kind_b, 1'000'000'000, 500'000'000);
        ASSERT_EQ(collision::touch(a, b), oracle_touch(a, b)) << a << " and " << b;
      }
    }
  }
}

/// The shape `factor` times as large and as far out, moved by `way`.
Shape scaled(const Shape& shape, Subunits factor, Way way) {
  Shape result = shape;
  result.box = {static_cast<Subunits>(shape.box.min_x * factor + way.x),
                static_cast<Subunits>(shape.box.min_y * factor + way.y),
                static_cast<Subunits>(shape.box.max_x * factor + way.x),
                static_cast<Subunits>(shape.box.max_y * factor + way.y)};
  result.radius = shape.radius * factor;
  return result;
}

TEST(Sweeps, AreNoLaterThanAnyTouchAtAStepAndMissNoneBetweenSteps) {
  constexpr std::uint32_t kSteps = 16;
  int between = 0;
  for_each_pair_of_kinds([&](ShapeKind kind_a, ShapeKind kind_b) {
    Shapes shapes(3);
    for (int i = 0; i < 300; ++i) {
      const Shape a = shapes.random_shape(kind_a, 60, 4);
      const Shape b = shapes.random_shape(kind_b, 60, 4);
      const Way way_a = shapes.random_way(150);
      const Way way_b = shapes.random_way(150);
      const auto first = collision::first_touch(a, way_a, b, way_b, kSteps);
      ASSERT_EQ(collision::first_touch(b, way_b, a, way_a, kSteps), first) << a << " and " << b;
      // Finer steps find the same contact.
      const auto finer = collision::first_touch(a, way_a, b, way_b, kSteps * 64);
      ASSERT_EQ(finer.has_value(), first.has_value()) << a << " and " << b;
      ASSERT_EQ((finer.value_or(0) + 63) / 64, first.value_or(0)) << a << " and " << b;
      if (kind_a == ShapeKind::kMask || kind_b == ShapeKind::kMask) continue;  // Pixels cannot be scaled.
      bool is_seen = false;
      for (std::uint32_t step = 0; step <= kSteps; ++step) {
        const Shape at_a = scaled(a, kSteps, {way_a.x * step, way_a.y * step});
        const Shape at_b = scaled(b, kSteps, {way_b.x * step, way_b.y * step});
        const bool is_touching = oracle_touch(at_a, at_b);
        is_seen = is_seen || is_touching;
        ASSERT_TRUE(!is_touching || (first && *first <= step)) << a << " and " << b << " at step " << step;
      }
      between += first && !is_seen ? 1 : 0;
    }
  });
  EXPECT_GT(between, 20);  // Contacts that steps alone would have missed.
}

TEST(Sweeps, OfConvexShapesFindExactlyTheContactsOfTheSweptCapsule) {
  // A circle that moves covers a capsule.
  Shapes shapes(4);
  for (int i = 0; i < 2000; ++i) {
    const Subunits radius = shapes.number(0, 6);
    const collision::Point from{shapes.number(-40, 40), shapes.number(-40, 40)};
    const Way way = shapes.random_way(60);
    const collision::Point to{static_cast<Subunits>(from.x + way.x), static_cast<Subunits>(from.y + way.y)};
    const Shape circle = collision::place(*collision::make_circle(from, radius, 0), {}, {});
    const Shape covered = collision::place(*collision::make_capsule(from, to, radius, 0), {}, {});
    const Shape other = shapes.random_shape(kKinds[i % 4], 40, 10);
    ASSERT_EQ(collision::first_touch(circle, way, other, {}, 256).has_value(),
              collision::touch(covered, other))
        << circle << " and " << other;
  }
}

TEST(Sweeps, WithoutAWayAreTouches) {
  for_each_pair_of_kinds([&](ShapeKind kind_a, ShapeKind kind_b) {
    Shapes shapes(5);
    for (int i = 0; i < 200; ++i) {
      const Shape a = shapes.random_shape(kind_a, 30, 20);
      const Shape b = shapes.random_shape(kind_b, 30, 20);
      const auto first = collision::first_touch(a, {}, b, {}, 65536);
      ASSERT_EQ(first.has_value(), collision::touch(a, b)) << a << " and " << b;
      ASSERT_EQ(first.value_or(0), 0u);
    }
  });
}

TEST(Distances, AreThoseAtWhichACircleBeginsToTouch) {
  for (const ShapeKind kind : kKinds) {
    Shapes shapes(6);
    for (int i = 0; i < 500; ++i) {
      const Shape shape = shapes.random_shape(kind, 200, 60);
      const collision::Point point{shapes.number(-300, 300), shapes.number(-300, 300)};
      const auto distance = static_cast<Subunits>(collision::distance(shape, point));
      const Shape touching = collision::place(*collision::make_circle(point, distance + 1, 0), {}, {});
      ASSERT_TRUE(collision::touch(shape, touching)) << shape << " from " << point.x << " " << point.y;
      if (distance == 0) continue;
      const Shape apart = collision::place(*collision::make_circle(point, distance - 1, 0), {}, {});
      ASSERT_FALSE(collision::touch(shape, apart)) << shape << " from " << point.x << " " << point.y;
    }
  }
}

}  // namespace
}  // namespace sweepd::property::property_shapes
