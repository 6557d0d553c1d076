// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "runtime/loop/loop.h"
#include "runtime/telemetry/metrics.h"

namespace sweepd::runtime {

/// The figures of a server's loops, as metrics: of each loop by itself (label "loop": its number), or of all
/// together where there are many values of another label. The loops take no notice of being asked. Once per
/// Metrics; goes before the loops.
class LoopMetrics {
 public:
  LoopMetrics(Metrics& metrics, std::vector<const Loop*> loops);

 private:
  void add_times(Metrics& metrics);
  void add_counts(Metrics& metrics);
  void add_pulses(Metrics& metrics);
  void add_queues(Metrics& metrics);
  void add_reasons(Metrics& metrics);

  const std::vector<const Loop*> loops_;
  std::vector<ComputedMetric> metrics_;
};

}  // namespace sweepd::runtime
