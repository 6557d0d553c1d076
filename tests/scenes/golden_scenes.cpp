// SPDX-License-Identifier: MIT
// Protects every digest of the named scenes: each broadphase, each kind of vector and each build comes to the
// pairs and to the events that are on record in tests/golden/scene_digests.txt. Where a scene is changed on
// purpose: SWEEPD_PRINT_DIGESTS=1 prints what to record.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>

#include "base/hash.h"
#include "base/sanitizers.h"
#include "collision/broadphase/simd_target.h"
#include "reference/endpoint_sweep.h"
#include "scenes/scene.h"
#include "scenes/world_play.h"

namespace sweepd::scenes {
namespace {

using namespace collision;  // NOLINT: this file speaks of nothing else.

constexpr std::uint32_t kTicks = 8;

struct Digests {
  std::uint64_t pairs = 0;   ///< Of all beginnings and endings, tick by tick.
  std::uint64_t events = 0;  ///< Of all events of a world, and of where everything is.
};

std::uint64_t digest_of(std::uint64_t digest, std::vector<OverlapPair> pairs) {
  std::ranges::sort(pairs);
  std::vector<std::uint64_t> words{pairs.size()};
  for (const auto& [first, second] : pairs) words.push_back(std::uint64_t{first} << 32 | second);
  return base::hash_words(words, digest);
}

std::uint64_t digest_of_pairs(const Recording& recording, Broadphase& broadphase) {
  std::uint64_t digest = 0;
  OverlapChanges overlaps;
  for (const PartChanges& changes : recording.ticks) {
    broadphase.update(changes, overlaps);
    digest = digest_of(digest_of(digest, overlaps.began), overlaps.ended);
  }
  return digest;
}

std::uint64_t digest_of_events(const Recording& recording) {
  std::uint64_t digest = 0;
  WorldPlay play(recording);
  while (!play.is_over()) {
    play.lay_out_tick();
    std::vector<std::uint64_t> words;
    for (const Event& event : play.run_tick()) {
      words.push_back(event.sequence_number);
      words.push_back(std::uint64_t{event.key.object_a} << 32 | event.key.object_b);
      words.push_back(static_cast<std::uint64_t>(event.kind) << 40 |
                      static_cast<std::uint64_t>(event.reason) << 32 |
                      std::uint64_t{event.key.layer_a} << 24 | std::uint64_t{event.key.layer_b} << 16 |
                      std::uint64_t{event.parts.part_a} << 8 | event.parts.part_b);
    }
    words.push_back(play.world().state_hash());
    digest = base::hash_words(words, digest);
  }
  return digest;
}

std::map<std::string, Digests> recorded_digests() {
  const char* source = std::getenv("SWEEPD_SOURCE_DIR");
  std::ifstream file(std::string(source == nullptr ? "." : source) + "/tests/golden/scene_digests.txt");
  std::map<std::string, Digests> digests;
  std::string scene;
  Digests read;
  while (file >> scene >> std::hex >> read.pairs >> read.events) digests[scene] = read;
  return digests;
}

class GoldenScene : public testing::TestWithParam<std::string> {
 protected:
  ~GoldenScene() override { use_simd_target(best_target_); }

  void expect_pairs(const std::string& who, Broadphase& broadphase) {
    EXPECT_EQ(digest_of_pairs(recording_, broadphase), expected_.pairs) << who;
  }
  void expect_pairs(const std::string& who, BroadphaseKind kind, SectorScheme scheme = SectorScheme::kPlain) {
    expect_pairs(who, *make_broadphase({kind, recording_.matrix, {scheme, 0}}));
  }

  const Recording recording_ = record(GetParam(), kTicks);
  const std::size_t box_count_ = recording_.ticks.front().added.size();
  const Digests expected_ = recorded_digests()[GetParam()];
  const std::string best_target_{simd_target()};
};

TEST_P(GoldenScene, SweepAndPruneFindsItsPairsAndTheWorldItsEventsWithEveryKindOfVector) {
  for (const std::string_view target : simd_targets()) {
    ASSERT_TRUE(use_simd_target(target));
    const std::string who(target);
    expect_pairs(who, BroadphaseKind::kSweepAndPrune);
    EXPECT_EQ(digest_of_events(recording_), expected_.events) << who;
  }
}

TEST_P(GoldenScene, EveryOtherBroadphaseFindsItsPairs) {
  expect_pairs("sectors", BroadphaseKind::kSectorGrid, SectorScheme::kPlain);
  expect_pairs("four shifts", BroadphaseKind::kSectorGrid, SectorScheme::kFourShifts);
  expect_pairs("horizontal strips", BroadphaseKind::kSectorGrid, SectorScheme::kHorizontalStrips);
  expect_pairs("vertical strips", BroadphaseKind::kSectorGrid, SectorScheme::kVerticalStrips);
  if (box_count_ > 2000) return;  // What follows takes the square of it.
  for (const BroadphaseKind kind : kBroadphaseKinds) expect_pairs(name_of(kind), kind);
  reference::EndpointSweep endpoints(recording_.matrix);
  expect_pairs("endpoint sweep", endpoints);
}

std::vector<std::string> played_scenes() {
  std::vector<std::string> names = scene_names();
  std::erase(names, "arena_100k");  // Ten thousand show as much, in a tenth of the time.
  if (base::kHasSanitizer) {
    for (const char* large : {"arena_10k", "sleepy10k"}) std::erase(names, large);  // As much as one thousand.
  }
  return names;
}

INSTANTIATE_TEST_SUITE_P(Scenes, GoldenScene, testing::ValuesIn(played_scenes()),
                         [](const auto& scene) { return scene.param; });

TEST(GoldenScenes, AreAllOnRecord) {
  const std::map<std::string, Digests> recorded = recorded_digests();
  const bool is_asked = std::getenv("SWEEPD_PRINT_DIGESTS") != nullptr;
  for (const std::string& scene : played_scenes()) {
    EXPECT_TRUE(recorded.contains(scene)) << scene;
    if (!is_asked) continue;
    const Recording recording = record(scene, kTicks);
    const auto broadphase = make_broadphase({BroadphaseKind::kSweepAndPrune, recording.matrix});
    std::cout << scene << std::hex << ' ' << digest_of_pairs(recording, *broadphase) << ' '
              << digest_of_events(recording) << std::dec << '\n';
  }
}

}  // namespace
}  // namespace sweepd::scenes
