// SPDX-License-Identifier: MIT
#include "runtime/replays/replay_metrics.h"

#include <vector>

namespace sweepd::runtime {
namespace {

/// From a match of seconds to one of hours.
const std::vector<double> kExportSeconds = {0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1,
                                            0.2,   0.5,   1,     2,    5,    10,   30};

const char* to_label(RemovalReason reason) {
  switch (reason) {
    case RemovalReason::kAge:
      return "age";
    case RemovalReason::kSize:
      return "size";
    case RemovalReason::kQuota:
      break;
  }
  return "quota";
}

}  // namespace

ReplayMetrics::ReplayMetrics(Metrics& metrics)
    : stored_bytes(metrics.gauge("sweepd_replay_stored_bytes", "Size of all replays of ended matches.")),
      stored_replays(metrics.gauge("sweepd_replay_stored_files", "Replays of ended matches.")),
      removed(
          metrics.counters("sweepd_replay_removed_files_total", "Replays removed, by the reason.", "reason")),
      exports(metrics.counter("sweepd_replay_exports_total", "Replays that were written from the journal.")),
      export_seconds(metrics.histogram("sweepd_replay_export_seconds", "How long writing a replay takes.",
                                       kExportSeconds)) {
  // A rate needs a beginning: all are there from the start.
  for (const RemovalReason reason : {RemovalReason::kAge, RemovalReason::kSize, RemovalReason::kQuota})
    removed.with(to_label(reason));
}

void ReplayMetrics::note_usage(const ReplayStore::Usage& usage) {
  stored_bytes.set(static_cast<double>(usage.bytes));
  stored_replays.set(static_cast<double>(usage.replays));
}

void ReplayMetrics::note_removal(const Removal& removal) {
  for (const auto& replay : removal.removed) removed.with(to_label(replay.reason)).add();
}

}  // namespace sweepd::runtime
