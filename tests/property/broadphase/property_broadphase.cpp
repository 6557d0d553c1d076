// SPDX-License-Identifier: MIT
// Protects the contract of the broadphase, below the world: whatever random parts do, every kind with every
// setting, and sweep and prune in each of its ways and with every kind of vector, tells exactly what a list
// of all pairs tells. SWEEPD_PROPERTY_SEED=n adds a run with that seed.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <numeric>
#include <string>

#include "collision/broadphase/simd_target.h"
#include "collision/broadphase/sweep_and_prune.h"
#include "property/broadphase/part_stream.h"
#include "reference/endpoint_sweep.h"
#include "rounds.h"

namespace sweepd::property::property_broadphase {
namespace {

using namespace collision;  // NOLINT: this file speaks of nothing else.

constexpr std::uint32_t kTicks = 20;

/// Someone who has to come to the same as the list of all pairs.
struct Rival {
  std::string name;
  std::unique_ptr<Broadphase> broadphase;
  std::string simd_target = {};  ///< Of sweep and prune; the others use none.
};

struct NamedTuning {
  const char* name;
  SweepTuning tuning;
};

const NamedTuning kTunings[] = {
    {"as it is", {}},
    {"always sorts", {0, 1, 0, 1}},
    {"always scans", {1'000'000'000, 1'000'000'000, 1'000'000'000, 5}},
    {"sorts seldom fitted", {3, 8, 2, 1000}},
};

void add_sweeps(const CollisionMatrix& matrix, std::vector<Rival>& rivals) {
  for (const std::string_view target : simd_targets()) {
    for (const auto& [name, tuning] : kTunings) {
      rivals.push_back({std::string("sweep and prune that ") + name + " on " + std::string(target),
                        std::make_unique<SweepAndPrune>(matrix, tuning), std::string(target)});
    }
  }
}

void add_grids(const CollisionMatrix& matrix, std::vector<Rival>& rivals) {
  for (const auto scheme : {SectorScheme::kPlain, SectorScheme::kFourShifts, SectorScheme::kHorizontalStrips,
                            SectorScheme::kVerticalStrips}) {
    for (const Subunits size : {0, 1, 40, 1 << 30}) {
      const std::string name =
          "sectors, scheme " + std::to_string(static_cast<int>(scheme)) + ", size " + std::to_string(size);
      rivals.push_back({name, make_broadphase({BroadphaseKind::kSectorGrid, matrix, {scheme, size}})});
    }
  }
}

std::vector<Rival> all_rivals(const CollisionMatrix& matrix) {
  std::vector<Rival> rivals;
  for (const BroadphaseKind kind : kBroadphaseKinds)
    rivals.push_back({name_of(kind), make_broadphase({kind, matrix})});
  rivals.push_back({"endpoint sweep", std::make_unique<reference::EndpointSweep>(matrix)});
  add_grids(matrix, rivals);
  add_sweeps(matrix, rivals);
  return rivals;
}

using Pairs = std::vector<OverlapPair>;

/// Every pair that overlaps, by looking at every pair; ascending.
Pairs all_pairs(const PartStream& stream) {
  const auto& parts = stream.parts();
  Pairs pairs;
  for (PartHandle first = 0; first < parts.size(); ++first) {
    for (PartHandle second = first + 1; second < parts.size(); ++second) {
      const auto& a = parts[first];
      const auto& b = parts[second];
      if (!a.is_present || !b.is_present || a.object == b.object) continue;
      if (stream.matrix().allows(a.layer, b.layer) && overlap(a.box, b.box)) pairs.push_back({first, second});
    }
  }
  return pairs;
}

Pairs without(const Pairs& pairs, const Pairs& others) {
  Pairs rest;
  std::ranges::set_difference(pairs, others, std::back_inserter(rest));
  return rest;
}

std::vector<PartHandle> parts_in(const PartStream& stream, const Box& region, std::uint64_t layers) {
  std::vector<PartHandle> found;
  for (PartHandle part = 0; part < stream.parts().size(); ++part) {
    const auto& placed = stream.parts()[part];
    if (placed.is_present && (layers >> placed.layer & 1) != 0 && overlap(placed.box, region)) {
      found.push_back(part);
    }
  }
  return found;
}

/// On layer 0, for the region, everything, and the region again.
std::vector<RegionHit> inside_each(const PartStream& stream, const Box& region) {
  std::vector<RegionHit> found;
  const Box regions[] = {region, kWholeRange, region};
  for (std::uint32_t i = 0; i < std::size(regions); ++i) {
    for (const PartHandle part : parts_in(stream, regions[i], 1)) found.push_back({i, part});
  }
  return found;
}

class Contest {
 public:
  explicit Contest(std::uint64_t seed) : stream_(seed), rivals_(all_rivals(stream_.matrix())) {}

  void play_tick() {
    stream_.next(changes_);
    const Pairs pairs = all_pairs(stream_);
    const Pairs began = without(pairs, standing_);
    const Pairs ended = without(standing_, pairs);
    const Box region = stream_.region();
    const std::vector<PartHandle> inside = parts_in(stream_, region, kLayers);
    for (Rival& rival : rivals_) {
      SCOPED_TRACE(rival.name);
      ASSERT_TRUE(rival.simd_target.empty() || use_simd_target(rival.simd_target));
      rival.broadphase->update(changes_, overlaps_);
      rival.broadphase->validate();
      std::ranges::sort(overlaps_.began);
      std::ranges::sort(overlaps_.ended);
      ASSERT_TRUE(overlaps_.began == began);
      ASSERT_TRUE(overlaps_.ended == ended);
      ASSERT_TRUE(find(*rival.broadphase, region) == inside);
      ASSERT_TRUE(find_each(*rival.broadphase, region) == inside_each(stream_, region));
      for (const PartHandle part : inside) {
        ASSERT_EQ(rival.broadphase->box_of(part), stream_.parts()[part].box);
      }
    }
    began_count_ += began.size();
    ended_count_ += ended.size();
    standing_ = pairs;
  }

  std::size_t began_count() const { return began_count_; }
  std::size_t ended_count() const { return ended_count_; }

 private:
  static constexpr std::uint64_t kLayers = 0b1011;

  static std::vector<PartHandle> find(const Broadphase& broadphase, const Box& region) {
    std::vector<PartHandle> found;
    broadphase.find(region, kLayers, found);
    std::ranges::sort(found);
    return found;
  }

  static std::vector<RegionHit> find_each(const Broadphase& broadphase, const Box& region) {
    std::vector<RegionHit> found;
    broadphase.find_each(std::vector<Box>{region, kWholeRange, region}, 0, found);
    std::ranges::sort(found);
    return found;
  }

  PartStream stream_;
  std::vector<Rival> rivals_;
  PartChanges changes_;
  OverlapChanges overlaps_;
  Pairs standing_;
  std::size_t began_count_ = 0;
  std::size_t ended_count_ = 0;
};

struct BestSimdTargetAfterwards {
  std::string best{simd_target()};
  ~BestSimdTargetAfterwards() { use_simd_target(best); }
};

TEST(Broadphases, AllTellTheSameWhateverPartsDo) {
  const BestSimdTargetAfterwards restore;
  ASSERT_GE(simd_targets().size(), 2u) << "at least one kind of vector, and none";
  std::vector<std::uint64_t> seeds(rounds(60u));
  std::iota(seeds.begin(), seeds.end(), 1);
  if (const char* seed = std::getenv("SWEEPD_PROPERTY_SEED"))
    seeds.push_back(std::strtoull(seed, nullptr, 10));
  std::size_t began = 0;
  std::size_t ended = 0;
  for (const std::uint64_t seed : seeds) {
    Contest contest(seed);
    for (std::uint32_t tick = 1; tick <= kTicks; ++tick) {
      SCOPED_TRACE(testing::Message() << "seed " << seed << ", tick " << tick);
      contest.play_tick();
      if (HasFailure()) return;
    }
    began += contest.began_count();
    ended += contest.ended_count();
  }
  EXPECT_GT(began, 10'000u);
  EXPECT_GT(ended, 10'000u);
}

}  // namespace
}  // namespace sweepd::property::property_broadphase
