// SPDX-License-Identifier: MIT
#pragma once

#include "runtime/telemetry/log.h"
#include "runtime/telemetry/metrics.h"

namespace sweepd::runtime {

/// What the log tells about itself. Once per Metrics; goes before the log.
class LogMetrics {
 public:
  LogMetrics(Metrics& metrics, const Log& log);

 private:
  ComputedMetric dropped_;
  ComputedMetric left_out_;
  ComputedMetric waiting_;
};

}  // namespace sweepd::runtime
