// SPDX-License-Identifier: MIT
//
// Protects what an operator's dashboards and alarms live on: names and values in Prometheus' text format,
// from any thread, with a bound on what is kept.
#include "runtime/telemetry/metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>
#include <sstream>
#include <thread>

#include "runtime/journal/journal_metrics.h"
#include "runtime/replays/replay_metrics.h"

namespace sweepd::runtime::metrics_test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(Metrics, TellsNameHelpTypeAndValue) {
  Metrics metrics;
  Counter counter = metrics.counter("sweepd_things_total", "Things.");
  Gauge gauge = metrics.gauge("sweepd_room_bytes", "Room.");
  counter.add();
  counter.add(41);
  gauge.set(2.5);
  EXPECT_EQ(
      metrics.to_text(),
      "# HELP sweepd_room_bytes Room.\n# TYPE sweepd_room_bytes gauge\nsweepd_room_bytes 2.5\n"
      "# HELP sweepd_things_total Things.\n# TYPE sweepd_things_total counter\nsweepd_things_total 42\n");
  EXPECT_EQ(counter.value(), 42u);
  EXPECT_EQ(gauge.value(), 2.5);
}

TEST(Metrics, LargeNumbersKeepAllTheirDigits) {
  Metrics metrics;
  metrics.counter("sweepd_large_bytes_total", "Bytes.").add(1'234'567'890'123);
  EXPECT_THAT(metrics.to_text(), HasSubstr("sweepd_large_bytes_total 1234567890123\n"));
}

TEST(Metrics, AHistogramCountsIntoItsBuckets) {
  Metrics metrics;
  Histogram histogram = metrics.histogram("sweepd_wait_seconds", "Waits.", {0.01, 0.5});
  histogram.observe(milliseconds(10));
  histogram.observe(milliseconds(250));
  histogram.observe(2.0);
  const std::string text = metrics.to_text();
  EXPECT_THAT(text, HasSubstr("sweepd_wait_seconds_bucket{le=\"0.01\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("sweepd_wait_seconds_bucket{le=\"0.5\"} 2\n"));
  EXPECT_THAT(text, HasSubstr("sweepd_wait_seconds_bucket{le=\"+Inf\"} 3\n"));
  EXPECT_THAT(text, HasSubstr("sweepd_wait_seconds_sum 2.26\n"));
}

TEST(Metrics, GaugesOfANameAreToldApartByTheirLabel) {
  Metrics metrics;
  GaugeFamily gauges = metrics.gauges("sweepd_room_bytes", "Room.", "room");
  gauges.with("0").set(1);
  Gauge second = gauges.with("1");
  second.set(2.5);
  EXPECT_THAT(metrics.to_text(), HasSubstr("\nsweepd_room_bytes{room=\"0\"} 1\n"));
  EXPECT_THAT(metrics.to_text(), HasSubstr("\nsweepd_room_bytes{room=\"1\"} 2.5\n"));
}

TEST(Metrics, CountersOfANameAreToldApartByTheirLabel) {
  Metrics metrics;
  CounterFamily family = metrics.counters("sweepd_failures_total", "Failures.", "kind");
  family.with("disk full").add(2);
  family.with("read-only").add();
  family.with("disk full").add();
  family.with("a \"quote\"\nand more").add();
  const std::string text = metrics.to_text();
  EXPECT_THAT(text, HasSubstr("sweepd_failures_total{kind=\"disk full\"} 3\n"));
  EXPECT_THAT(text, HasSubstr("sweepd_failures_total{kind=\"read-only\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("sweepd_failures_total{kind=\"a \\\"quote\\\"\\nand more\"} 1\n"));
}

TEST(Metrics, WhoMakesUpLabelsMakesUpNoMemory) {
  Metrics metrics;
  CounterFamily family = metrics.counters("sweepd_failures_total", "Failures.", "kind");
  for (std::size_t i = 0; i < CounterFamily::kValuesMax + 10; ++i) family.with(std::to_string(i)).add();
  family.with("0").add();
  const std::string text = metrics.to_text();
  EXPECT_THAT(text, HasSubstr("{kind=\"other\"} 10\n"));
  EXPECT_THAT(text, HasSubstr("{kind=\"0\"} 2\n"));
  EXPECT_THAT(text, HasSubstr("{kind=\"63\"} 1\n"));
  EXPECT_THAT(text, Not(HasSubstr("{kind=\"64\"}")));
}

TEST(Metrics, AnAgeGrowsByItselfUntilItIsCleared) {
  TimePoint now(seconds(100));
  Metrics metrics([&now] { return now; });
  AgeGauge age = metrics.age_gauge("sweepd_oldest_seconds", "Age.");
  EXPECT_THAT(metrics.to_text(), HasSubstr("# TYPE sweepd_oldest_seconds gauge\nsweepd_oldest_seconds 0\n"));
  age.set_since(now);
  now += milliseconds(2500);
  EXPECT_THAT(metrics.to_text(), HasSubstr("sweepd_oldest_seconds 2.5\n"));
  age.clear();
  EXPECT_THAT(metrics.to_text(), HasSubstr("sweepd_oldest_seconds 0\n"));
  age.set_since(now + seconds(1));
  EXPECT_THAT(metrics.to_text(), HasSubstr("sweepd_oldest_seconds 0\n")) << "an age is never negative";
}

TEST(Metrics, AComputedMetricIsAskedAsLongAsItIsThere) {
  Metrics metrics;
  int value = 3;
  {
    const ComputedMetric gauge =
        metrics.computed_gauge("sweepd_matches", "Matches.", [&value] { return value; });
    EXPECT_THAT(metrics.to_text(), HasSubstr("sweepd_matches 3\n"));
    value = 4;
    EXPECT_THAT(metrics.to_text(), HasSubstr("sweepd_matches 4\n"));
  }
  EXPECT_EQ(metrics.to_text(), "");
  const ComputedMetric again = metrics.computed_gauge("sweepd_matches", "Matches.", [] { return 5.0; });
  EXPECT_THAT(metrics.to_text(), HasSubstr("sweepd_matches 5\n"));
}

TEST(Metrics, CountsWhatManyThreadsCountWhileItIsRead) {
  Metrics metrics;
  Counter counter = metrics.counter("sweepd_things_total", "Things.");
  CounterFamily family = metrics.counters("sweepd_failures_total", "Failures.", "kind");
  Histogram histogram = metrics.histogram("sweepd_wait_seconds", "Waits.", {1.0});
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] {
      for (int round = 0; round < 1000; ++round) {
        counter.add();
        family.with(std::to_string((round + i) % 3)).add();
        histogram.observe(0.5);
      }
    });
  }
  for (int i = 0; i < 20; ++i) metrics.to_text();
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(counter.value(), 4000u);
  EXPECT_EQ(family.with("0").value() + family.with("1").value() + family.with("2").value(), 4000u);
  EXPECT_THAT(metrics.to_text(), HasSubstr("sweepd_wait_seconds_count 4000\n"));
}

TEST(MetricsDeathTest, ANameThatBreaksTheRulesIsOurOwnMistake) {
  Metrics metrics;
  EXPECT_DEATH(metrics.counter("sweepd_things", "No total."), "ends_with");
  EXPECT_DEATH(metrics.gauge("sweepd_things_total", "No counter."), "ends_with");
  EXPECT_DEATH(metrics.gauge("things_bytes", "No prefix."), "starts_with");
  EXPECT_DEATH(metrics.gauge("sweepd_Things", "A capital."), "starts_with");
  metrics.gauge("sweepd_things", "The first.");
  EXPECT_DEATH(metrics.gauge("sweepd_things", "The second."), "is_new");
}

TEST(JournalMetrics, AreAllThereFromTheStart) {
  Metrics metrics;
  JournalMetrics journal(metrics);
  ReplayMetrics replays(metrics);
  journal.failures.with("disk full").add();
  const std::string text = metrics.to_text();
  for (const char* line :
       {"sweepd_journal_queue_bytes 0", "sweepd_journal_queue_bytes_max 0", "sweepd_journal_commits_total 0",
        "sweepd_journal_commit_seconds_count 0", "sweepd_journal_records_total 0",
        "sweepd_journal_bytes_total 0", "sweepd_journal_failing 0",
        "sweepd_journal_failures_total{kind=\"disk full\"} 1", "sweepd_journal_records_given_up_total 0",
        "sweepd_journal_oldest_undurable_age_seconds 0", "sweepd_journal_recovered_matches_total 0",
        "sweepd_journal_damaged_matches_total 0", "sweepd_journal_file_damage_total{file=\"witness\"} 0",
        "sweepd_replay_stored_bytes 0", "sweepd_replay_stored_files 0", "sweepd_replay_exports_total 0",
        "sweepd_replay_removed_files_total{reason=\"age\"} 0",
        "sweepd_replay_removed_files_total{reason=\"size\"} 0", "sweepd_replay_export_seconds_count 0"}) {
    EXPECT_THAT(text, HasSubstr(std::string("\n") + line + "\n"));
  }
}

TEST(ReplayMetrics, TellWhatAStoreHasAndLost) {
  Metrics metrics;
  ReplayMetrics replays(metrics);
  replays.note_usage({.replays = 3, .bytes = 700});
  replays.note_removal(
      {.removed = {
           {"a", 1, RemovalReason::kSize}, {"b", 1, RemovalReason::kSize}, {"c", 1, RemovalReason::kQuota}}});
  const std::string text = metrics.to_text();
  EXPECT_THAT(text, HasSubstr("sweepd_replay_stored_bytes 700\n"));
  EXPECT_THAT(text, HasSubstr("sweepd_replay_stored_files 3\n"));
  EXPECT_THAT(text, HasSubstr("sweepd_replay_removed_files_total{reason=\"age\"} 0\n"));
  EXPECT_THAT(text, HasSubstr("sweepd_replay_removed_files_total{reason=\"size\"} 2\n"));
  EXPECT_THAT(text, HasSubstr("sweepd_replay_removed_files_total{reason=\"quota\"} 1\n"));
}

}  // namespace
}  // namespace sweepd::runtime::metrics_test
