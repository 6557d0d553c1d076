// SPDX-License-Identifier: MIT
#pragma once

#include "runtime/telemetry/metrics.h"

namespace sweepd::runtime {

/// What a journal tells about itself. Once per Metrics.
struct JournalMetrics {
  explicit JournalMetrics(Metrics& metrics);

  Gauge queue_bytes;      ///< What waits to be written.
  Gauge queue_bytes_max;  ///< What may wait.
  Counter commits;
  Histogram commit_seconds;
  Counter records;
  Counter bytes;
  Gauge failing;           ///< 1 while nothing can be written, else 0.
  CounterFamily failures;  ///< By kind: "disk full", "read-only", … few different ones.
  Counter records_given_up;
  AgeGauge oldest_undurable_age_seconds;  ///< How much a crash would cost now.
  Counter recovered_matches;
  Counter damaged_matches;
  CounterFamily file_damage;  ///< By file: "database", "log", "witness".
  CounterFamily lost_ticks;   ///< By match, the first 64 of them; then "other".
};

}  // namespace sweepd::runtime
