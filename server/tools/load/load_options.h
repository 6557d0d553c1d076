// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "tools/load/client_behavior.h"
#include "tools/load/frame_loop.h"
#include "tools/sweepctl/server_choice.h"
#include "tools/sweepctl/trace.h"

namespace sweepd::tools::load {

/// Which events a client asks to be told.
enum class EventsAsked : std::uint8_t {
  kAll,       ///< Of all objects of its match.
  kOwn,       ///< Of its own objects.
  kOwnEnters  ///< Of its own objects, those where contact begins.
};

/// What the command line asks of `sweepctl load`.
struct LoadOptions {
  ServerChoice server;
  std::string scene = "W1";
  /// A recorded match to play instead of the scene; null: none. Of at most kTraceTicksMax ticks; `clients` is
  /// how many participants it has.
  std::shared_ptr<const Trace> trace = {};
  std::string trace_path = {};  ///< "-": standard input.
  MotionKind motion = MotionKind::kExplicit;
  EventsAsked events = EventsAsked::kAll;
  bool asks_for_world = false;  ///< The world feed, all of it, in every tick.
  std::uint32_t matches = 10;
  std::uint32_t clients = 4;  ///< Of a match.
  std::uint32_t rate_hz = 60;
  std::chrono::milliseconds warm_up{2000};
  std::chrono::milliseconds duration{10'000};
  std::chrono::microseconds jitter{
      0};  ///< By up to so much a frame is sent after its time; at most an interval.
  bool one_connection_per_match = false;
  bool shared_streams = false;  ///< One stream for all clients of a match, as of a game server.
  std::uint32_t threads = 1;
  std::uint32_t history_ticks = 120;
  std::optional<std::uint32_t> pin_core = {};
  std::optional<std::int32_t> server_pid = {};
  ClientBehaviorCounts behavior = {};
  /// Matches are added until a p99 (tick lateness, update to event beyond the wait, age of unread input) is
  /// above this.
  std::optional<std::chrono::microseconds> search_bound = {};
  std::uint32_t search_step = 10;    ///< How many at a time.
  std::string metrics_address = {};  ///< Of the server's page of metrics; empty: none. See fetch_metrics.
  std::string json_path = {};        ///< Empty: none.
  std::string svg_path = {};         ///< Empty: none.
  bool shows_progress = false;
};

}  // namespace sweepd::tools::load
