// SPDX-License-Identifier: MIT
#include "runtime/journal/journal_metrics.h"

#include <vector>

namespace sweepd::runtime {
namespace {

/// A commit takes as long as the disk does to say that it has it: from a fast one's 100 µs to a stalled one's
/// seconds.
const std::vector<double> kCommitSeconds = {0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02,
                                            0.05,   0.1,    0.2,    0.5,   1,     2,     5,    10};

}  // namespace

JournalMetrics::JournalMetrics(Metrics& metrics)
    : queue_bytes(metrics.gauge("sweepd_journal_queue_bytes", "Records that wait to be written.")),
      queue_bytes_max(metrics.gauge("sweepd_journal_queue_bytes_max", "How much may wait to be written.")),
      commits(metrics.counter("sweepd_journal_commits_total", "Group commits.")),
      commit_seconds(metrics.histogram("sweepd_journal_commit_seconds", "How long a group commit takes.",
                                       kCommitSeconds)),
      records(metrics.counter("sweepd_journal_records_total", "Records that have become durable.")),
      bytes(metrics.counter("sweepd_journal_bytes_total", "Bytes of records that have become durable.")),
      failing(metrics.gauge("sweepd_journal_failing", "1 while the journal cannot be written, else 0.")),
      failures(metrics.counters("sweepd_journal_failures_total", "Commits that failed, by what was wrong.",
                                "kind")),
      records_given_up(
          metrics.counter("sweepd_journal_records_given_up_total",
                          "Records dropped as more waited than may; their matches have no replay.")),
      oldest_undurable_age_seconds(
          metrics.age_gauge("sweepd_journal_oldest_undurable_age_seconds",
                            "Age of the oldest record that a crash would cost; 0: there is none.")),
      recovered_matches(metrics.counter("sweepd_journal_recovered_matches_total",
                                        "Matches that went on when the server started.")),
      damaged_matches(
          metrics.counter("sweepd_journal_damaged_matches_total",
                          "Matches that damage of the journal cost durable ticks, or all of them.")),
      file_damage(metrics.counters(
          "sweepd_journal_file_damage_total",
          "Files of the journal that were removed, replaced or cut under the server.", "file")),
      lost_ticks(metrics.counters("sweepd_journal_lost_ticks_total",
                                  "Ticks that had been durable and were lost to damage of the journal.",
                                  "match_id")) {
  // A rate needs a beginning: each is there from the start.
  lost_ticks.with("other");
  for (const char* file : {"database", "log", "witness"}) file_damage.with(file);
  for (const char* kind : {"disk full", "read-only", "damaged", "i/o error", "other"}) failures.with(kind);
}

}  // namespace sweepd::runtime
