// SPDX-License-Identifier: MIT
// Protects the speed of searching cells: the window lies where the boxes are, and a few boxes that are far
// out or far larger than the others change little about it.

#include "collision/broadphase/window_fit.h"

#include <gtest/gtest.h>

#include "property/random.h"

namespace sweepd::collision::window_fit_test {
namespace {

constexpr Subunits kUnit = 256;

std::vector<PackedBox> arena(std::size_t count, Subunits side, Subunits size) {
  property::Random random(3);
  std::vector<PackedBox> boxes;
  for (std::size_t i = 0; i < count; ++i) {
    const auto x = static_cast<Subunits>(random.between(0, side));
    const auto y = static_cast<Subunits>(random.between(0, side));
    boxes.push_back(pack({x, y, x + size, y + size}));
  }
  return boxes;
}

TEST(WindowFit, CoversTheBoxesWithAboutAsManyCellsAsBoxesAtMost) {
  const CellWindow window = fit_window(arena(1000, 1000 * kUnit, 16 * kUnit));
  EXPECT_LE(window.cells(), 1000u);
  EXPECT_GT(window.cells(), 100u);
  EXPECT_LT(window.origin_x, 100 * kUnit);
  EXPECT_GT(window.last_x, static_cast<std::uint32_t>(800 * kUnit));
}

TEST(WindowFit, IsNotMisledByAFewFarOut) {
  auto boxes = arena(1000, 1000 * kUnit, 16 * kUnit);
  boxes[0] = pack({kSubunitsMin, kSubunitsMin, kSubunitsMin, kSubunitsMin});
  boxes[500] = pack({kSubunitsMax, kSubunitsMax, kSubunitsMax, kSubunitsMax});
  EXPECT_LT(fit_window(boxes).last_x, static_cast<std::uint32_t>(2000 * kUnit));
}

TEST(WindowFit, KeepsAFewLargeOnesApart) {
  auto boxes = arena(1000, 1000 * kUnit, 16 * kUnit);
  for (std::size_t i = 0; i < 10; ++i) boxes[i * 97] = pack({0, 0, 600 * kUnit, 600 * kUnit});
  const CellWindow window = fit_window(boxes);
  EXPECT_GE(window.width_max, static_cast<std::uint32_t>(16 * kUnit));
  EXPECT_LT(window.width_max, static_cast<std::uint32_t>(600 * kUnit));
}

TEST(WindowFit, OfNothingOrOnePointIsOneCell) {
  EXPECT_EQ(fit_window({}).cells(), 1u);
  EXPECT_EQ(fit_window(std::vector<PackedBox>(300, pack({5, 5, 5, 5}))).cells(), 1u);
}

TEST(WindowFit, IsKeptForAWhileAndRenewedWhenTheNumberChanges) {
  WindowFit fit;
  const auto near = arena(1000, 1000 * kUnit, 16 * kUnit);
  const auto far = arena(1000, 100'000 * kUnit, 16 * kUnit);
  const auto last_x = fit.fit(near, 3).last_x;
  EXPECT_EQ(fit.fit(far, 3).last_x, last_x);
  EXPECT_EQ(fit.fit(far, 3).last_x, last_x);
  EXPECT_GT(fit.fit(far, 3).last_x, last_x);
  EXPECT_LT(fit.fit(arena(3000, 1000 * kUnit, 16 * kUnit), 3).last_x,
            static_cast<std::uint32_t>(2000 * kUnit));
}

}  // namespace
}  // namespace sweepd::collision::window_fit_test
