// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tools/load/load_options.h"
#include "tools/load/measurements.h"
#include "tools/load/server_metrics.h"

namespace sweepd::tools::load {

/// A second of a run, for plots.
struct SecondOfLoad {
  double time_s = 0;  ///< Since the measurement began.
  std::uint32_t matches = 0;
  Histogram::Duration lateness_p50{0}, lateness_p99{0};
  Histogram::Duration beyond_the_wait_p99{0};
};

/// What a server or a client process used while it was measured.
struct ProcessCost {
  double cpu_s = 0;
  std::uint64_t resident_before_bytes = 0;  ///< Before the first match was created.
  std::uint64_t resident_bytes = 0;         ///< At the end of the measurement.
};

/// How a number of matches was held.
struct SearchStep {
  std::uint32_t matches = 0;
  bool held = false;
  Histogram::Duration lateness_p99{0}, beyond_the_wait_p99{0}, input_age_p99{0};
  double tick_rate_min_hz = 0;
  double busiest_thread = 0;
  double cores_busy = 0;  ///< As LoadResult's.
  Histogram::Duration send_lateness_p99{0};
  /// What must not be lost; see Measurements and LoadResult. What clients lose that were asked to misbehave
  /// is not in it.
  std::uint64_t streams_closed = 0, frames_not_sent = 0, probes_lost = 0, ticks_lost = 0;
};

/// What a search for the largest number of matches found.
struct SearchResult {
  Histogram::Duration bound{0};
  std::uint32_t matches_held = 0;  ///< 0: not even the first step was held.
  std::string ended_because;
  std::vector<SearchStep> steps;
};

/// What a run found; of a search, what the largest number of matches that was held did.
struct LoadResult {
  std::string scene;       ///< Or "trace".
  std::string trace_path;  ///< Empty: none.
  MotionKind motion = MotionKind::kExplicit;
  EventsAsked events = EventsAsked::kAll;
  bool shared_streams = false;
  bool asks_for_world = false;
  std::uint32_t matches = 0;
  std::uint32_t clients = 0;  ///< Of a match.
  std::uint32_t rate_hz = 0;
  std::uint32_t objects = 0;  ///< Of a match, on average over the loop; without those that measure latency.
  double duration_s = 0;      ///< That was measured.
  Measurements measured;
  double tick_rate_min_hz = 0;  ///< Of the slowest match.
  double tick_rate_mean_hz = 0;
  std::uint64_t ticks_lost = 0;      ///< Moved on by stalls; see TickFit.
  std::uint32_t streams_closed = 0;  ///< By the server, of clients that behave.
  std::string first_error;           ///< Of those.
  std::uint32_t misbehaving_streams_closed = 0;
  std::optional<ProcessCost> server;     ///< Nothing if unknown, or if the server was gone at the end.
  std::optional<MetricsChange> metrics;  ///< Nothing if they were not asked for, or not to be had at the end.
  std::string metrics_error;             ///< Why, then.
  ProcessCost client;
  std::uint32_t client_cores = 1;  ///< On so many the load generator may run.
  double busiest_thread =
      0;  ///< The share of the time in which the load generator's busiest thread computed.
  bool was_interrupted = false;
  std::optional<SearchResult> search;
  std::vector<SecondOfLoad> seconds;
};

/// From here on it cannot be told whether the server or this process was late.
inline constexpr double kBusyMax = 0.9;
/// The share of the cores on which the load generator may run that it used, with all its threads.
double cores_busy(const LoadResult& result);
/// Whether a thread of the load generator, or all of it, was busier than kBusyMax.
bool load_is_bottleneck(const LoadResult& result);

/// "50 matches of 4 clients at 60 Hz".
std::string matches_text(const LoadResult& result);
/// For people, some twenty lines.
std::string table_of(const LoadResult& result);
/// One JSON object.
std::string json_of(const LoadResult& result);
/// A picture: the distribution of the latencies, and how they were over time.
std::string svg_of(const LoadResult& result);

}  // namespace sweepd::tools::load
