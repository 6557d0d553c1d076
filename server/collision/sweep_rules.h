// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace sweepd::collision {

/// What has been decided otherwise since the first matches were recorded, which are judged as they were.
struct SweepRules {
  /// What leaves in a tick is met whether it moved in it or not, if it was judged before or is continuous. If
  /// not: what moved is met, also where it was spawned in that very tick.
  bool meets_still_leavers = true;
  /// The way of what is enabled in a tick is that of its motion also where it was teleported in that tick.
  bool enabling_passes_over_teleports = true;
  /// What a sweep of two plain shapes counts in tests. Two capsules, the dearest, take about ten times as
  /// long as their test; where they come close, sixty times.
  std::uint32_t tests_per_sweep = 32;
  /// A leaver counts a test for each probe of its layer, whether that is near or not.
  bool leavers_count_all_probes = false;
};

}  // namespace sweepd::collision
