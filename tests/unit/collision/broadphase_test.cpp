// SPDX-License-Identifier: MIT
// Protects the contract of a broadphase, the same for every kind: which pairs, each once, and only what
// changed.

#include "collision/broadphase/broadphase.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "collision/world.h"

namespace sweepd::collision::broadphase_test {
namespace {

/// A kind with its settings, by a name for tests.
struct NamedConfig {
  std::string name;
  BroadphaseKind kind;
  SectorGridSettings sector_grid = {};
};

std::vector<NamedConfig> every_kind() {
  std::vector<NamedConfig> kinds = {
      {"Plain", BroadphaseKind::kSectorGrid, {SectorScheme::kPlain, 7}},
      {"FourShifts", BroadphaseKind::kSectorGrid, {SectorScheme::kFourShifts, 0}},
      {"HorizontalStrips", BroadphaseKind::kSectorGrid, {SectorScheme::kHorizontalStrips, 20}},
      {"VerticalStrips", BroadphaseKind::kSectorGrid, {SectorScheme::kVerticalStrips, 1}}};
  for (const BroadphaseKind kind : kBroadphaseKinds) kinds.push_back({name_of(kind), kind});
  return kinds;
}

struct BroadphaseTest : testing::TestWithParam<NamedConfig> {
  BroadphaseTest() {
    BroadphaseConfig config{.kind = GetParam().kind, .matrix = {}, .sector_grid = GetParam().sector_grid};
    config.matrix.allow(0, 0);
    config.matrix.allow(0, 1);
    broadphase = make_broadphase(config);
  }
  void update() {
    broadphase->update(parts, changes);
    parts.clear();
    broadphase->validate();
    std::sort(changes.began.begin(), changes.began.end());
    std::sort(changes.ended.begin(), changes.ended.end());
  }
  void add(PartHandle part, std::uint32_t object, LayerId layer, const Box& box) {
    parts.added.push_back({part, object, layer, box});
  }
  void move(PartHandle part, const Box& box) { parts.moved.push_back({part, box}); }
  void remove(PartHandle part) { parts.removed.push_back(part); }
  using Pairs = std::vector<OverlapPair>;

  std::unique_ptr<Broadphase> broadphase;
  PartChanges parts;
  OverlapChanges changes;
};

INSTANTIATE_TEST_SUITE_P(EveryKind, BroadphaseTest, testing::ValuesIn(every_kind()),
                         [](const auto& kind) { return kind.param.name; });

TEST_P(BroadphaseTest, ReportsBeginningAndEndOnce) {
  add(0, 100, 0, {0, 0, 10, 10});
  add(1, 101, 1, {10, 10, 20, 20});
  update();
  EXPECT_EQ(changes.began, (Pairs{{0, 1}}));
  update();
  EXPECT_TRUE(changes.began.empty() && changes.ended.empty());
  move(1, {11, 10, 21, 20});
  update();
  EXPECT_EQ(changes.ended, (Pairs{{0, 1}}));
  EXPECT_TRUE(changes.began.empty());
}

TEST_P(BroadphaseTest, ReportsASameLayerPairOnce) {
  for (PartHandle part = 0; part < 3; ++part) add(part, part, 0, {0, 0, 0, 0});
  update();
  EXPECT_EQ(changes.began, (Pairs{{0, 1}, {0, 2}, {1, 2}}));
}

TEST_P(BroadphaseTest, NeverPairsWhatTheMatrixForbidsOrPartsOfOneObject) {
  add(0, 1, 1, {0, 0, 9, 9});
  add(1, 2, 1, {0, 0, 9, 9});
  add(2, 3, 0, {100, 0, 109, 9});
  add(3, 3, 0, {100, 0, 109, 9});
  update();
  EXPECT_TRUE(changes.began.empty());
}

TEST_P(BroadphaseTest, EndsThePairsOfARemovedPartAndMayReuseItsHandleLater) {
  add(0, 1, 0, {0, 0, 9, 9});
  add(1, 2, 0, {0, 0, 9, 9});
  update();
  remove(1);
  update();
  EXPECT_EQ(changes.ended, (Pairs{{0, 1}}));
  add(1, 3, 1, {0, 0, 9, 9});
  update();
  EXPECT_EQ(changes.began, (Pairs{{0, 1}}));
}

TEST_P(BroadphaseTest, AJumpThatStaysInContactIsNoChange) {
  add(0, 1, 0, {kSubunitsMin, 0, kSubunitsMax, 10});
  add(1, 2, 1, {-2'000'000'000, 5, -2'000'000'000, 5});
  update();
  EXPECT_EQ(changes.began, (Pairs{{0, 1}}));
  move(1, {2'000'000'000, 5, 2'000'000'000, 5});
  update();
  EXPECT_TRUE(changes.began.empty() && changes.ended.empty());
}

TEST_P(BroadphaseTest, AJumpFromOneContactToAnotherEndsAndBegins) {
  add(0, 1, 1, {0, 0, 10, 10});
  add(1, 2, 1, {900'000, 0, 900'010, 10});
  add(2, 3, 0, {5, 5, 6, 6});
  update();
  EXPECT_EQ(changes.began, (Pairs{{0, 2}}));
  move(2, {900'005, 5, 900'006, 6});
  update();
  EXPECT_EQ(changes.began, (Pairs{{1, 2}}));
  EXPECT_EQ(changes.ended, (Pairs{{0, 2}}));
}

TEST_P(BroadphaseTest, TwoThatJumpTogetherStayTogether) {
  add(0, 1, 0, {0, 0, 10, 10});
  add(1, 2, 0, {0, 0, 10, 10});
  update();
  for (const PartHandle part : {0u, 1u}) move(part, {900'000, 900'000, 900'010, 900'010});
  update();
  EXPECT_TRUE(changes.began.empty() && changes.ended.empty());
}

TEST_P(BroadphaseTest, TwoThatSwapPlacesInATickDoNotMeet) {
  add(0, 1, 0, {0, 0, 10, 10});
  add(1, 2, 0, {20, 0, 30, 10});
  update();
  move(0, {20, 0, 30, 10});
  move(1, {0, 0, 10, 10});
  update();
  EXPECT_TRUE(changes.began.empty() && changes.ended.empty());
}

}  // namespace
}  // namespace sweepd::collision::broadphase_test
