// SPDX-License-Identifier: MIT
// Protects the inner loops of sweep and prune: on every kind of vector that runs here they find exactly what
// comparing each with each finds, at every number of boxes and at the ends of the coordinate range.

#include "collision/broadphase/overlap_kernels.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "collision/broadphase/cell_order.h"
#include "collision/broadphase/simd_target.h"
#include "collision/broadphase/window_fit.h"
#include "property/random.h"

namespace sweepd::collision::overlap_kernels_test {
namespace {

using Boxes = std::vector<PackedBox>;
using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

struct OverlapKernelsTest : testing::TestWithParam<std::string_view> {
  void SetUp() override { ASSERT_TRUE(use_simd_target(GetParam())); }
  void TearDown() override { use_simd_target(simd_targets().front()); }

  /// Where boxes lie and how large they are: `low` to `low + range`, up to `size`.
  struct Area {
    std::int64_t low;
    std::int64_t range;
    std::int64_t size;
  };

  Box random_box(const Area& area) {
    const auto clamp = [](std::int64_t value) {
      return static_cast<Subunits>(std::clamp<std::int64_t>(value, kSubunitsMin + 1, kSubunitsMax));
    };
    const std::int64_t x = random.between(area.low, area.low + area.range);
    const std::int64_t y = random.between(area.low, area.low + area.range);
    return {clamp(x), clamp(y), clamp(x + random.between(0, area.size)),
            clamp(y + random.between(0, area.size))};
  }

  Boxes random_boxes(std::size_t count, const Area& area) {
    Boxes boxes;
    for (std::size_t i = 0; i < count; ++i) {
      boxes.push_back(random.between(0, 9) == 0 ? kNoBox : pack(random_box(area)));
    }
    return boxes;
  }

  static Pairs sorted(const SlotPairs& pairs) {
    Pairs list;
    for (std::size_t i = 0; i < pairs.size(); ++i) list.emplace_back(pairs.first()[i], pairs.second()[i]);
    std::sort(list.begin(), list.end());
    return list;
  }

  static Pairs sorted_unordered(const SlotPairs& pairs) {
    Pairs list = sorted(pairs);
    for (auto& [first, second] : list) {
      if (first > second) std::swap(first, second);
    }
    std::sort(list.begin(), list.end());
    return list;
  }

  static Pairs each_with_each(const Boxes& a, const Boxes& b) {
    Pairs pairs;
    for (std::uint32_t i = 0; i < a.size(); ++i) {
      for (std::uint32_t j = 0; j < b.size(); ++j) {
        if (a[i] != kNoBox && b[j] != kNoBox && overlap(unpack(a[i]), unpack(b[j]))) pairs.emplace_back(i, j);
      }
    }
    return pairs;
  }

  static Pairs each_with_later(const Boxes& boxes) {
    Pairs pairs = each_with_each(boxes, boxes);
    std::erase_if(pairs, [](const auto& pair) { return pair.first >= pair.second; });
    return pairs;
  }

  property::Random random{17};
};

INSTANTIATE_TEST_SUITE_P(EveryTarget, OverlapKernelsTest, testing::ValuesIn(simd_targets()),
                         [](const auto& target) { return std::string(target.param); });

constexpr std::size_t kCounts[] = {0, 1, 2, 15, 16, 17, 63, 64, 65, 150, 300};

TEST_P(OverlapKernelsTest, AScanFindsWhatComparingEachWithEachFinds) {
  for (const std::size_t count : kCounts) {
    const Boxes few = random_boxes(count / 2 + 1, {-200, 400, 60});
    const Boxes many = random_boxes(count, {-200, 400, 60});
    SlotPairs hits;
    kernels::scan(few, many, hits);
    EXPECT_EQ(sorted(hits), each_with_each(few, many)) << count;
  }
}

TEST_P(OverlapKernelsTest, AScanOfOneListFindsEachPairOnce) {
  for (const std::size_t count : kCounts) {
    const Boxes boxes = random_boxes(count, {-200, 400, 60});
    SlotPairs hits;
    kernels::scan_self(boxes, hits);
    EXPECT_EQ(sorted(hits), each_with_later(boxes)) << count;
  }
}

TEST_P(OverlapKernelsTest, AScanFindsMoreThan255PairsOfOneBox) {
  const Boxes boxes(600, pack({5, 5, 9, 9}));
  SlotPairs hits;
  kernels::scan_self(boxes, hits);
  EXPECT_EQ(sorted(hits), each_with_later(boxes));
}

TEST_P(OverlapKernelsTest, AScanForChangesFindsWhereTheOverlapDiffers) {
  for (const std::size_t count : kCounts) {
    const Boxes few_before = random_boxes(count / 3 + 1, {0, 200, 60});
    const Boxes few_now = random_boxes(count / 3 + 1, {0, 200, 60});
    const Boxes many_before = random_boxes(count, {0, 200, 60});
    const Boxes many_now = random_boxes(count, {0, 200, 60});
    SlotPairs hits;
    kernels::scan_changes({few_before.data(), few_now.data(), few_now.size()},
                          {many_before.data(), many_now.data(), count}, hits);
    const Pairs before = each_with_each(few_before, many_before);
    const Pairs now = each_with_each(few_now, many_now);
    Pairs expected;
    std::set_symmetric_difference(before.begin(), before.end(), now.begin(), now.end(),
                                  std::back_inserter(expected));
    EXPECT_EQ(sorted(hits), expected) << count;
  }
}

/// Boxes filed in cells, as sweep and prune does it.
struct Filed {
  explicit Filed(const Boxes& boxes) {
    order.sort(boxes, fit_window(boxes), cells);
    lanes.resize(boxes.size());
    kernels::gather_lanes(boxes, order.filed(), lanes);
  }
  std::vector<std::uint32_t> cells;
  CellOrder order;
  BoxLanes lanes;
};

TEST_P(OverlapKernelsTest, CellsFindWhatComparingEachWithEachFindsAmongTheFiled) {
  constexpr Area kAreas[] = {{-1000, 2000, 50},
                             {0, 3, 2},
                             {kSubunitsMin, 400, 90},
                             {kSubunitsMax - 500LL, 600, 90},
                             {kSubunitsMin, 4'294'967'295, 1'000'000'000},
                             {7, 0, 0}};
  for (const Area& area : kAreas) {
    for (const std::size_t count : kCounts) {
      SCOPED_TRACE(testing::Message() << "from " << area.low << " over " << area.range << ", " << count);
      Boxes boxes = random_boxes(count, area);
      const Boxes queries = random_boxes(count / 2, area);
      const Filed filed(boxes);
      const CellGrid& grid = filed.order.grid();
      for (const std::uint32_t slot : filed.order.large()) boxes[slot] = kNoBox;

      SlotPairs hits;
      kernels::sweep_cells_self(grid, filed.lanes, hits);
      EXPECT_EQ(sorted_unordered(hits), each_with_later(boxes));
      hits.clear();
      kernels::sweep_cells(queries, grid, filed.lanes, hits);
      EXPECT_EQ(sorted(hits), each_with_each(queries, boxes));
      hits.clear();
      kernels::search_cells(queries, grid, boxes.data(), hits);
      EXPECT_EQ(sorted(hits), each_with_each(queries, boxes));
    }
  }
}

TEST_P(OverlapKernelsTest, PairsThatAreApartAreFoundInTheirOrder) {
  const Boxes a = random_boxes(200, {0, 100, 40});
  const Boxes b = random_boxes(200, {0, 100, 40});
  SlotPairs pairs;
  for (std::uint32_t i = 0; i < 200; ++i) pairs.push(i, 199 - i);
  SlotPairs found;
  kernels::find_apart(pairs, a.data(), b.data(), found);
  Pairs expected;
  for (std::uint32_t i = 0; i < 200; ++i) {
    if (!overlap(a[i], b[199 - i])) expected.emplace_back(i, 199 - i);
  }
  EXPECT_EQ(sorted(found), expected);
}

TEST(SimdTarget, CanBeChosenByNameAndFallsBackToTheBest) {
  const auto targets = simd_targets();
  ASSERT_FALSE(targets.empty());
  EXPECT_EQ(simd_target(), targets.front());
  EXPECT_TRUE(use_simd_target(targets.back()));
  EXPECT_EQ(simd_target(), targets.back());
  EXPECT_FALSE(use_simd_target("MMX"));
  EXPECT_TRUE(use_simd_target(targets.front()));
}

}  // namespace
}  // namespace sweepd::collision::overlap_kernels_test
