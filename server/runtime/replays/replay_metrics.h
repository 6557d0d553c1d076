// SPDX-License-Identifier: MIT
#pragma once

#include "runtime/replays/replay_store.h"
#include "runtime/telemetry/metrics.h"

namespace sweepd::runtime {

/// What is told about replays. Once per Metrics.
struct ReplayMetrics {
  explicit ReplayMetrics(Metrics& metrics);

  /// After every change.
  void note_usage(const ReplayStore::Usage& usage);
  void note_removal(const Removal& removal);

  Gauge stored_bytes;
  Gauge stored_replays;
  CounterFamily removed;  ///< By reason: "age", "size".
  Counter exports;
  Histogram export_seconds;
};

}  // namespace sweepd::runtime
