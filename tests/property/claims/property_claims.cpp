// SPDX-License-Identifier: MIT
// Protects the verdicts on claims: on random worlds, every verdict, the tick it judged and the margin that it
// gives are held against an oracle that keeps copies of all past worlds and looks for the closest moment by
// itself. Every verdict has to occur.

#include <gtest/gtest.h>

#include <cmath>

#include "collision/shapes/margin.h"
#include "match/claims/closest_parts.h"
#include "property/claims/claim_oracle.h"
#include "rounds.h"

namespace sweepd::property::property_claims {
namespace {

using match::Claimant;
using match::ClaimJudge;
using match::ClaimLedger;
using match::ClaimRules;
using match::ClaimVerdict;
using match::History;
using match::HitClaim;
using match::Verdict;

constexpr std::uint32_t kPlayers = 2;  // Owners 0 and 1; 2 is the stage.

const RandomWorldOptions kWorlds[] = {
    {.name = "mixed", .objects_max = 25, .single_use_chance = 0},
    {.name = "fast", .objects_max = 25, .move_chance = 80, .jump_chance = 30, .single_use_chance = 0},
    {.name = "by motion", .objects_max = 25, .move_chance = 0, .motion_chance = 5, .single_use_chance = 0},
    {.name = "short lives under few ids",
     .objects_max = 10,
     .despawn_chance = 25,
     .single_use_chance = 0,
     .reuses_ids = true},
    {.name = "always altered", .objects_max = 25, .alter_chance = 60, .single_use_chance = 0},
};

struct Setting {
  std::uint32_t history_ticks;
  ClaimRules rules;
};
const Setting kSettings[] = {
    {60, {.rewind_ticks_max = 10, .delay_allowance_ticks = 2, .hits_per_shot_max = 1}},
    {4, {.rewind_ticks_max = 100, .delay_allowance_ticks = 20, .hits_per_shot_max = 0}},
};

class Play {
 public:
  Play(const RandomWorldOptions& options, const Setting& setting, std::uint64_t seed)
      : setting_(setting),
        world_(options, seed),
        history_(setting.history_ticks),
        judge_({history_, ledger_, world_.config().matrix, world_.config().masks}, setting_.rules,
               [](match::ParticipantNumber owner, match::ObjectId) { return owner < kPlayers; }),
        oracle_(copies_, world_.config(), setting_.rules, setting.history_ticks) {}

  void run(std::map<Verdict, int>& seen) {
    for (collision::Tick tick = 1; tick <= 60; ++tick) {
      world_.play_tick(&history_);
      copies_.copy(world_);
      for (int i = 0; i < 12; ++i) claim(tick, seen);
      if (testing::Test::HasFailure()) return;
    }
  }

 private:
  HitClaim random_claim(collision::Tick now) {
    Random& random = world_.random();
    const auto pick = [&] {
      const auto& ids = world_.ids();
      if (ids.empty() || random.chance(10)) return static_cast<collision::ObjectId>(random.between(1, 60));
      return ids[random.index(ids.size())];
    };
    HitClaim claim{.shot = pick(), .target = pick()};
    claim.tick_seen = static_cast<collision::Tick>(
        std::max<std::int64_t>(1, static_cast<std::int64_t>(now) + 1 - random.between(0, 14)));
    claim.tolerance =
        static_cast<std::uint32_t>(random.chance(50) ? random.between(0, 300) : random.between(0, 6'000));
    if (random.chance(15)) claim.shot_part = static_cast<std::uint32_t>(random.index(3));
    if (random.chance(15)) claim.target_part = static_cast<std::uint32_t>(random.index(3));
    return claim;
  }

  void claim(collision::Tick now, std::map<Verdict, int>& seen) {
    const HitClaim claim = random_claim(now);
    Random& random = world_.random();
    const auto shot = world_.world().find(claim.shot);
    const bool is_owners = shot && random.chance(85);
    Claimant claimant{
        is_owners ? shot->owner : static_cast<match::ParticipantNumber>(random.index(3)), now, {}};
    if (random.chance(70)) claimant.delay_ticks = static_cast<std::uint32_t>(random.between(0, 9));
    const ClaimVerdict found = judge_.judge(claimant, claim);
    const ClaimOracle::Answer expected = oracle_.judge(claimant, claim, now, kPlayers);
    SCOPED_TRACE(testing::Message() << "at " << now << ": shot " << claim.shot << ", target " << claim.target
                                    << ", seen " << claim.tick_seen << ", tolerance " << claim.tolerance);
    EXPECT_EQ(found.tick_judged, expected.tick_judged);
    ASSERT_EQ(found.evidence.has_value(), expected.distance.has_value());
    if (expected.distance) check_margin(found.evidence->margin, *expected.distance);
    if (!expected.is_close_call) {
      EXPECT_EQ(static_cast<int>(found.verdict), static_cast<int>(expected.verdict));
    }
    ++seen[found.verdict];
    if (found.verdict != Verdict::kConfirmed) return;
    ledger_.add({claim.shot, history_.find_way(claim.shot, found.tick_judged)->life->born},
                {claim.target, history_.find_living(claim.target)->born});
    oracle_.confirm(claim, found.tick_judged);
  }

  /// Rounded up, where the oracle's numbers can tell.
  static void check_margin(std::int64_t margin, long double distance) {
    if (distance > 1e-4L) {
      EXPECT_GE(static_cast<long double>(margin), distance - 1e-4L);
      EXPECT_LT(static_cast<long double>(margin), distance + 1 + 1e-4L);
    } else {
      EXPECT_LE(margin, distance > -1e-4L ? 1 : 0);
    }
  }

  Setting setting_;
  RandomWorld world_;
  PastWorlds copies_;
  History history_;
  ClaimLedger ledger_;
  ClaimJudge judge_;
  ClaimOracle oracle_;
};

TEST(PropertyClaims, EveryVerdictIsThatOfAnOracleThatKeepsAllPastWorlds) {
  std::map<Verdict, int> seen;
  for (const RandomWorldOptions& options : kWorlds) {
    for (const Setting& setting : kSettings) {
      for (std::uint64_t seed = 1; seed <= rounds(4u); ++seed) {
        SCOPED_TRACE(testing::Message()
                     << options.name << ", " << setting.history_ticks << " ticks, seed " << seed);
        Play(options, setting, seed).run(seen);
        if (HasFailure()) return;
      }
    }
  }
  for (std::size_t verdict = 1; verdict < match::kVerdictsEnd; ++verdict) {
    EXPECT_GT(seen[static_cast<Verdict>(verdict)], rounds(10)) << "verdict " << verdict;
  }
}

collision::Shape random_shape(Random& random, const std::vector<collision::BitMask>& masks) {
  using namespace collision;  // NOLINT: of nothing else.
  const auto number = [&](std::int64_t low, std::int64_t high) {
    return static_cast<Subunits>(random.between(low, high));
  };
  const Subunits x = number(-900, 900), y = number(-900, 900), w = number(0, 400), h = number(0, 400);
  Shape shape{.box = {x, y, x + w, y + h}};
  if (random.chance(25)) return shape;
  if (random.chance(20)) {
    const BitMask& mask = masks[random.index(masks.size())];
    shape.box = {x, y, x + static_cast<Subunits>(mask.total_width()),
                 y + static_cast<Subunits>(mask.total_height())};
    shape.kind = ShapeKind::kMask;
    shape.mask = &mask;
    return shape;
  }
  shape.radius = number(0, 150);
  shape.kind = random.chance(50) ? ShapeKind::kCircle : ShapeKind::kCapsule;
  const bool is_circle = shape.kind == ShapeKind::kCircle;
  shape.is_rising = !is_circle && random.chance(50);
  shape.box = {x, y, x + 2 * shape.radius + (is_circle ? 0 : w), y + 2 * shape.radius + (is_circle ? 0 : h)};
  return shape;
}

TEST(PropertyClaims, TheMarginIsTheLeastDistanceOnTheWayOrTheDepthOfTheBoxes) {
  Random random(5);
  const std::vector<collision::BitMask> masks{
      collision::BitMask(3, 2, 60, {0b101, 0b011}),
      collision::BitMask(5, 5, 40, {0b10001, 0, 0b00100, 0, 0b10001})};
  int touching = 0;
  for (int i = 0; i < 5'000; ++i) {
    const collision::Shape a = random_shape(random, masks);
    const collision::Shape b = random_shape(random, masks);
    const auto way = [&] {
      return random.chance(30) ? collision::Way{}
                               : collision::Way{random.between(-1500, 1500), random.between(-1500, 1500)};
    };
    const collision::Way way_a = way(), way_b = way();
    const std::int64_t margin = collision::margin(a, way_a, b, way_b);
    const long double distance = closest_distance(a, way_a, b, way_b);
    SCOPED_TRACE(testing::Message() << "pair " << i << ", margin " << margin << ", distance " << distance);
    EXPECT_EQ(margin, collision::margin(b, way_b, a, way_a));
    EXPECT_GE(margin, collision::least_margin(a.box, b.box, {way_a.x - way_b.x, way_a.y - way_b.y}));
    EXPECT_EQ(margin <= 0, collision::first_touch(a, way_a, b, way_b, 1).has_value());
    const std::int64_t limit = margin + random.between(-3, 3) * random.between(0, 500);
    const std::int64_t limited = collision::margin(a, way_a, b, way_b, limit);
    if (margin <= limit) {
      EXPECT_EQ(limited, margin);
    } else {
      EXPECT_GT(limited, limit);
      EXPECT_LE(limited, margin);
      EXPECT_EQ(limited > 0, margin > 0) << "whether they touch is told in any case";
    }
    if (margin > 0) {
      ASSERT_GE(static_cast<long double>(margin), distance - 1e-4L);
      ASSERT_LT(static_cast<long double>(margin), distance + 1 + 1e-4L);
    } else {
      ++touching;
      ASSERT_LE(distance, 1e-4L);
      const long double depth = deepest_overlap(a.box, way_a, b.box, way_b);
      const auto steps =
          static_cast<long double>(std::abs(way_a.x - way_b.x) + std::abs(way_a.y - way_b.y)) / 4096;
      ASSERT_GE(static_cast<long double>(-margin), std::floor(depth));
      ASSERT_LE(static_cast<long double>(-margin), depth + steps);
    }
  }
  EXPECT_GT(touching, 500);
}

/// Spread by so many times their reach; of some, several lie in the same place.
match::SweptParts random_parts(Random& random, const std::vector<collision::BitMask>& masks, int spread) {
  match::SweptParts parts{.parts = {}, .way = {random.between(-900, 900), random.between(-900, 900)}};
  const std::size_t count = 1 + random.index(collision::kPartsMax);
  for (std::size_t i = 0; i < count; ++i) {
    match::SweptPart part{.index = static_cast<std::uint8_t>(i),
                          .layer = static_cast<collision::LayerId>(random.index(3)),
                          .shape = random_shape(random, masks)};
    const collision::Point offset{static_cast<collision::Subunits>(900 * random.between(-spread, spread)),
                                  static_cast<collision::Subunits>(900 * random.between(-spread, spread))};
    part.shape.box = placed(part.shape.box, offset);
    if (i > 0 && random.chance(20)) part.shape = parts.parts[random.index(i)].shape;
    parts.parts.push_back(part);
  }
  return parts;
}

TEST(PropertyClaims, TheClosestPartsAreTheLowestOfTheLeastMarginOfAllPairs) {
  Random random(6);
  const std::vector<collision::BitMask> masks{
      collision::BitMask(3, 2, 60, {0b101, 0b011}),
      collision::BitMask(5, 5, 40, {0b10001, 0, 0b00100, 0, 0b10001})};
  collision::CollisionMatrix matrix;
  matrix.allow(0, 1);
  matrix.allow(1, 1);
  std::size_t pairs = 0, measured = 0, ties = 0, without = 0;
  for (int i = 0; i < 1'500; ++i) {
    const int spread = static_cast<int>(random.between(0, 20));
    const match::SweptParts a = random_parts(random, masks, spread);
    const match::SweptParts b = random_parts(random, masks, spread);
    std::optional<match::ClosestParts> expected;
    for (const match::SweptPart& part_a : a.parts) {
      for (const match::SweptPart& part_b : b.parts) {
        if (!matrix.allows(part_a.layer, part_b.layer)) continue;
        const bool has_pixels = part_a.shape.mask != nullptr || part_b.shape.mask != nullptr;
        pairs += has_pixels ? 16 : 1;
        const std::int64_t margin = collision::margin(part_a.shape, a.way, part_b.shape, b.way);
        if (expected && expected->margin == margin) ++ties;
        if (expected && expected->margin <= margin) continue;
        expected = match::ClosestParts{margin, &part_a, &part_b, 0};
      }
    }
    const auto found = match::closest_parts(a, b, matrix);
    SCOPED_TRACE(testing::Message() << "objects " << i);
    ASSERT_EQ(found.has_value(), expected.has_value());
    if (!found) {
      ++without;
      continue;
    }
    ASSERT_EQ(found->margin, expected->margin);
    ASSERT_EQ(found->a, expected->a);
    ASSERT_EQ(found->b, expected->b);
    measured += found->measured;
  }
  EXPECT_GT(ties, 200u);
  EXPECT_GT(without, 20u);
  EXPECT_LT(measured * 10, pairs) << "the boxes tell of most pairs";
}

}  // namespace
}  // namespace sweepd::property::property_claims
