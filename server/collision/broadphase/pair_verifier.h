// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <vector>

#include "collision/broadphase/sweep_list.h"
#include "collision/broadphase/tracked_part.h"

namespace sweepd::collision {

/// Decides exactly what became of two parts that may have met or parted, and records it.
/// A part that jumped is in the lists twice. So that its pairs are recorded once, a beginning is recorded by
/// the entries that stand for where the parts are, an end by those that stand for where they were.
class PairVerifier {
 public:
  PairVerifier(const std::vector<TrackedPart>& parts, OverlapChanges& changes)
      : parts_(parts), changes_(changes) {}

  void consider(SweepTag tag_a, SweepTag tag_b) const {
    const TrackedPart& a = parts_[handle_of(tag_a)];
    const TrackedPart& b = parts_[handle_of(tag_b)];
    const bool did = a.existed && b.existed && overlap(a.was, b.was);
    const bool does = a.exists && b.exists && overlap(a.is, b.is);
    if (did == does || a.object == b.object) return;
    if (does && shows_is(tag_a) && shows_is(tag_b)) changes_.began.push_back(pair_of(tag_a, tag_b));
    if (did && shows_was(tag_a, a) && shows_was(tag_b, b)) changes_.ended.push_back(pair_of(tag_a, tag_b));
  }

 private:
  static bool shows_is(SweepTag tag) { return !is_ghost(tag); }
  static bool shows_was(SweepTag tag, const TrackedPart& part) { return is_ghost(tag) || !part.jumped; }
  static OverlapPair pair_of(SweepTag a, SweepTag b) {
    return {std::min(handle_of(a), handle_of(b)), std::max(handle_of(a), handle_of(b))};
  }

  const std::vector<TrackedPart>& parts_;
  OverlapChanges& changes_;
};

}  // namespace sweepd::collision
