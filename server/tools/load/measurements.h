// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "tools/load/histogram.h"

namespace sweepd::tools::load {

/// What was measured in a span of time: of one thread or, merged, of all. Due times are those of TickFit:
/// when a tick's update arrives if nothing delays it.
struct Measurements {
  /// From sending the frame that brings a probe into or out of contact to receiving the event.
  Histogram update_to_event;
  /// The same without the wait for the tick: from when the frame was sent, or from when the tick that applied
  /// it was due, whichever is later.
  Histogram beyond_the_wait;
  /// How late updates arrive against when their ticks are due.
  Histogram tick_lateness;
  /// How long at least a frame lay unread: if it was sent before a tick was due that did not apply it yet,
  /// from its sending to when the last such tick was due; else 0. The fastest update's way is in it.
  Histogram input_age;
  /// How late frames, those of a shared stream together, were sent against the load's own schedule: large if
  /// this process is overloaded, or if the server takes no more. Frames that still wait at the end count with
  /// what they have waited.
  Histogram send_lateness;

  std::uint64_t frames_sent = 0;
  std::uint64_t bytes_up = 0;  ///< Of messages, with the 5 bytes that gRPC puts before each.
  std::uint64_t frames_not_sent =
      0;  ///< Too many waited for the server to take them. Of clients that behave.
  std::uint64_t updates = 0;
  std::uint64_t bytes_down = 0;  ///< As bytes_up.
  std::uint64_t events = 0;
  std::uint64_t rejections = 0;
  std::uint64_t probes_sent = 0;  ///< Clients that misbehave send none.
  /// No event came within 2 * kProbeTicks ticks: counted in the histograms as if it had come then.
  std::uint64_t probes_lost = 0;
  std::uint64_t reconnections = 0;
  std::uint64_t world_bytes = 0;           ///< Of WorldTicks, but the first of each stream.
  std::uint64_t world_tick_bytes_max = 0;  ///< The largest of those.

  void merge(const Measurements& other);
};

}  // namespace sweepd::tools::load
