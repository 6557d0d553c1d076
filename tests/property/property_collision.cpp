// SPDX-License-Identifier: MIT
// Protects the rules of the world: on random scenes of every kind, every broadphase and an
// independent reference must agree in every event, reason, hash and answer, and the log must be sound.
// SWEEPD_PROPERTY_SEED=n adds a run of every scene with that seed.

#include <gtest/gtest.h>

#include <cstdlib>
#include <numeric>

#include "collision/broadphase/simd_target.h"
#include "property/scene.h"
#include "rounds.h"

namespace sweepd::property::property_collision {
namespace {

std::vector<std::uint64_t> seeds() {
  std::vector<std::uint64_t> seeds(rounds(3u));
  std::iota(seeds.begin(), seeds.end(), 1);
  if (const char* seed = std::getenv("SWEEPD_PROPERTY_SEED"))
    seeds.push_back(std::strtoull(seed, nullptr, 10));
  return seeds;
}

TEST(RandomScenes, AllWorldsAgreeAndEveryExitReasonOccurs) {
  Coverage coverage;
  const std::vector<std::string_view> targets = collision::simd_targets();
  std::size_t play = 0;
  for (const SceneOptions& options : all_scenes()) {
    for (const std::uint64_t seed : seeds()) {
      const std::string_view target = targets[play++ % targets.size()];  // Each has its turn.
      ASSERT_TRUE(collision::use_simd_target(target));
      SCOPED_TRACE(testing::Message() << "scene '" << options.name << "', seed " << seed << ", " << target);
      Scene(options, seed).play(coverage);
      if (HasFailure()) return;
    }
  }
  for (int reason = static_cast<int>(collision::ExitReason::kNone);
       reason <= static_cast<int>(collision::ExitReason::kDestroyed); ++reason) {
    EXPECT_GT(coverage[static_cast<collision::ExitReason>(reason)], 0u) << "reason " << reason;
    RecordProperty("reason_" + std::to_string(reason),
                   std::to_string(coverage[static_cast<collision::ExitReason>(reason)]));
  }
}

}  // namespace
}  // namespace sweepd::property::property_collision
