// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "bench/contender.h"
#include "scenes/scene.h"

namespace sweepd::bench {

/// One digest a tick: the sum of the hashes of (tick, began or ended, pair), whatever their order.
using Digests = std::vector<std::uint64_t>;

/// A contender that plays a recording, piece by piece, and is timed tick by tick.
class Play {
 public:
  Play(const scenes::Recording& recording, const ContenderInfo& contender);

  /// Plays up to `ticks` more; false if the recording was at its end before. Times are kept from the
  /// `unmeasured`th of them on: the first ones after a pause meet cold caches.
  bool advance(std::uint32_t ticks, std::uint32_t unmeasured);

  const Digests& digests() const { return digests_; }
  const std::vector<double>& tick_times_us() const { return tick_times_us_; }

 private:
  double play_tick();

  const scenes::Recording& recording_;
  std::unique_ptr<Contender> contender_;
  collision::PartChanges changes_;
  collision::OverlapChanges overlaps_;
  Digests digests_;
  std::vector<double> tick_times_us_;
};

/// What every contender must come to, by brute force; in scenes too large for that, by the plain grid.
Digests reference_digests(const scenes::Recording& recording);

/// Whether a play, which may have ended early, came to the same.
bool agree(const Digests& play, const Digests& reference);

double median(std::vector<double> values);

}  // namespace sweepd::bench
