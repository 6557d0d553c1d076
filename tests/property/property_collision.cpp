// SPDX-License-Identifier: MIT
// Protects the rules of the world: on random scenes of every kind, every broadphase and an
// independent reference must agree in every event, reason, hash and answer, and the log must be sound.
// SWEEPD_PROPERTY_SEED=n adds a run of every scene with that seed.

#include <gtest/gtest.h>

#include <cstdlib>

#include "property/scene.h"

namespace sweepd::property {
namespace {

std::vector<std::uint64_t> seeds() {
  std::vector<std::uint64_t> seeds{1, 2, 3};
  if (const char* seed = std::getenv("SWEEPD_PROPERTY_SEED"))
    seeds.push_back(std::strtoull(seed, nullptr, 10));
  return seeds;
}

TEST(RandomScenes, AllWorldsAgreeAndEveryExitReasonOccurs) {
  Coverage coverage;
  for (const SceneOptions& options : all_scenes()) {
    for (const std::uint64_t seed : seeds()) {
      SCOPED_TRACE(testing::Message() << "scene '" << options.name << "', seed " << seed);
      Scene(options, seed).play(coverage);
      if (HasFailure()) return;
    }
  }
  for (int reason = static_cast<int>(collision::ExitReason::kNone);
       reason <= static_cast<int>(collision::ExitReason::kSwept); ++reason) {
    EXPECT_GT(coverage[static_cast<collision::ExitReason>(reason)], 0u) << "reason " << reason;
    RecordProperty("reason_" + std::to_string(reason),
                   std::to_string(coverage[static_cast<collision::ExitReason>(reason)]));
  }
}

}  // namespace
}  // namespace sweepd::property
