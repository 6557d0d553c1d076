// SPDX-License-Identifier: MIT
#pragma once

namespace sweepd::collision {

/// What has been decided otherwise since the first matches were recorded, which are judged as they were.
struct SweepRules {
  /// What leaves in a tick is met whether it moved in it or not, if it was judged before or is continuous. If
  /// not: what moved is met, also where it was spawned in that very tick.
  bool meets_still_leavers = true;
  /// The way of what is enabled in a tick is that of its motion also where it was teleported in that tick.
  bool enabling_passes_over_teleports = true;
};

}  // namespace sweepd::collision
