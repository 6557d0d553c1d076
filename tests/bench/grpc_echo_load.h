// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "bench/grpc_echo_server.h"

namespace sweepd::bench {

struct EchoLoadOptions {
  std::string target;
  EchoMode mode = EchoMode::kEcho;
  std::size_t streams = 0;
  std::size_t message_bytes = 0;
  double warm_up_seconds = 1;
  double seconds = 3;
  int server_process = 0;  ///< Whose CPU is measured.
};

/// In milliseconds.
struct Spread {
  double p50 = 0, p99 = 0, p999 = 0;
};

struct EchoFigures {
  std::size_t streams = 0;
  double messages_per_second = 0;  ///< Answered, or in mode kTick read before a tick.
  double answers_per_second = 0;
  // As `sweepctl load` measures them, but of every message, not of two in a second: from when it was handed
  // to gRPC; ticks are due when the fastest answer of the stream says so.
  Spread round_trip;       ///< Until its answer was here.
  Spread beyond_tick;      ///< kTick: the same, but from when the tick was due if that is later.
  Spread tick_lateness;    ///< kTick.
  Spread unread_age;       ///< kTick: for how long a message was under way when a tick ran without it, or 0.
  Spread send_lateness;    ///< Of messages, against this load's own schedule.
  bool has_ticks = false;  ///< kTick.
  double server_us_per_message = 0;     ///< CPU: for a message and its share of answers.
  double server_cpu = 0, load_cpu = 0;  ///< 1: a whole core.
  double server_resident_bytes = 0;     ///< While all streams are open.
  bool has_failed = false;              ///< A stream broke.

  /// Whether every p99 that counts is below the bound, and all messages were taken.
  bool holds(double bound_ms) const;
};

/// So many streams, each on a connection of its own, send a message of so many bytes 60 times a second, at
/// moments spread over the interval.
EchoFigures load_echo(const EchoLoadOptions& options);

/// The most streams that hold the bound: by half as many again, then by halving the difference, to within
/// `step` streams. No streams: none do. `tried`: every trial, in order.
EchoFigures find_most_streams(EchoLoadOptions options, double bound_ms, std::size_t step,
                              std::vector<EchoFigures>& tried);

}  // namespace sweepd::bench
